export const handler = async (): Promise<object> => ({});
