/** Whether this run is of a container with tables in AWS: SVC_TEST_STORE=aws (test/container/run-aws-stores.mjs). */
export const ON_AWS_STORES = process.env.SVC_TEST_STORE === 'aws';
