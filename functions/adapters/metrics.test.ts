import { expect, test } from '@jest/globals';
import { countOf, METRICS } from './metrics.ts';

test('a count is what CloudWatch reads as one, under the name of the function', () => {
  process.env.AWS_LAMBDA_FUNCTION_NAME = 'svc-gateway';
  try {
    expect(countOf(METRICS.unsettled, 1_764_000_000_000)).toEqual({
      FunctionName: 'svc-gateway',
      Unsettled: 1,
      _aws: {
        Timestamp: 1_764_000_000_000,
        CloudWatchMetrics: [
          { Namespace: 'svc', Dimensions: [['FunctionName']], Metrics: [{ Name: 'Unsettled', Unit: 'Count' }] },
        ],
      },
    });
  } finally {
    delete process.env.AWS_LAMBDA_FUNCTION_NAME;
  }
});
