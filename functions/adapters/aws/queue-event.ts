/** What Lambda hands over of a queue: https://docs.aws.amazon.com/lambda/latest/dg/with-sqs.html */
export interface QueueEvent {
  readonly Records: readonly { readonly messageId: string; readonly body: string }[];
}

/** Which of them have to come again; the mapping asks for it with ReportBatchItemFailures. */
export interface QueueAnswer {
  readonly batchItemFailures: readonly { readonly itemIdentifier: string }[];
}
