"""Asks for a model by each of Bedrock's operations, as boto3 does it by its environment alone, and prints what it got as JSON."""

import json
import sys

import boto3
from botocore.config import Config
from botocore.exceptions import ClientError, EventStreamError

model, text = sys.argv[1:]
client = boto3.client("bedrock-runtime", config=Config(retries={"max_attempts": 0}))
messages = [{"role": "user", "content": [{"text": text}]}]
body = json.dumps(
    {
        "anthropic_version": "bedrock-2023-05-31",
        "max_tokens": 64,
        "messages": [{"role": "user", "content": text}],
    }
)


def converse():
    answer = client.converse(modelId=model, messages=messages)
    return {
        "text": answer["output"]["message"]["content"][0]["text"],
        "stopReason": answer["stopReason"],
        "action": answer["additionalModelResponseFields"]["svc"]["action"],
        "tokens": answer["usage"]["totalTokens"],
        "requestId": answer["ResponseMetadata"]["RequestId"],
    }


def converse_stream():
    answer = client.converse_stream(modelId=model, messages=messages)
    events = list(answer["stream"])
    return {
        "text": "".join(event.get("contentBlockDelta", {}).get("delta", {}).get("text", "") for event in events),
        "names": [name for event in events for name in event if name != "contentBlockDelta"],
    }


def invoke():
    answer = client.invoke_model(modelId=model, body=body)
    return {"text": json.loads(answer["body"].read())["content"][0]["text"]}


def invoke_stream():
    answer = client.invoke_model_with_response_stream(modelId=model, body=body)
    events = [json.loads(event["chunk"]["bytes"]) for event in answer["body"]]
    return {
        "text": "".join(event.get("delta", {}).get("text", "") for event in events),
        "ends": [events[0]["type"], events[-1]["type"]],
    }


def attempt(call):
    try:
        return call()
    except (ClientError, EventStreamError) as error:
        status = error.response["ResponseMetadata"].get("HTTPStatusCode")
        return {"error": error.response["Error"]["Code"], "status": status}


calls = {"converse": converse, "converseStream": converse_stream, "invoke": invoke, "invokeStream": invoke_stream}
print(json.dumps({name: attempt(call) for name, call in calls.items()}))
