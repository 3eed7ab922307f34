"""Detectors of PyPI, each at its defaults. Reads a JSON string a line, writes {"detected", "score", "micros", "cpuMicros"} a line.

usage: peers.py PACKAGE
"""

import json
import sys
import time


def nukon_pi_detect():
    from nukon_pi_detect import DECISION_CLEAN, scan

    def detect(text):
        result = scan(text)
        return result.decision != DECISION_CLEAN, result.score

    return detect


def injectionshield():
    from injectionshield import scan

    def detect(text):
        result = scan(text)
        return not result.safe, result.risk_score

    return detect


def injectguard():
    from injectguard import scan

    def detect(text):
        result = scan(text)
        return result.is_injection, result.risk_score

    return detect


def prompt_lint_py():
    from promptlint import Decision, Firewall

    firewall = Firewall(mode="block")

    def detect(text):
        result = firewall.scan(text)
        return result.decision != Decision.ALLOW, result.risk_score

    return detect


def stackone_defender():
    from stackone_defender import create_prompt_defense

    # Without its model it would only warn, and be another detector.
    defense = create_prompt_defense(block_high_risk=True, require_tier2=True)
    defense.warmup_tier2()

    def detect(text):
        result = defense.defend_tool_result(text, "read_document")
        return not result.allowed, result.tier2_score or 0

    return detect


def gorget():
    import logging

    import structlog
    from gorget.input_scanners import InvisibleText, Secrets

    # It logs to the standard output.
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    # Of its scanners for prompts, those that neither need weights nor a list of words.
    scanners = [Secrets(), InvisibleText()]

    def detect(text):
        is_valid = all([scanner.scan(text)[1] for scanner in scanners])
        return not is_valid, 0 if is_valid else 1

    return detect


def litellm_content_filter():
    import asyncio
    import logging

    from litellm.proxy.guardrails.guardrail_hooks.litellm_content_filter.content_filter import (
        ContentFilterGuardrail,
    )

    credentials = ["aws_access_key", "aws_secret_key", "github_token", "slack_token", "generic_api_key"]
    personal = ["us_ssn", "email", "us_phone", "credit_card", "visa", "mastercard", "amex", "discover", "iban"]
    kinds = ["jailbreak", "system_prompt", "data_exfiltration", "malicious_code", "sql"]
    guard = ContentFilterGuardrail(
        guardrail_name="bench",
        patterns=[
            {"pattern_type": "prebuilt", "pattern_name": name, "action": "BLOCK"} for name in credentials + personal
        ],
        categories=[
            {"category": f"prompt_injection_{kind}", "enabled": True, "action": "BLOCK"} for kind in kinds
        ],
    )
    logging.getLogger("LiteLLM Proxy").setLevel(logging.ERROR)
    loop = asyncio.new_event_loop()

    def detect(text):
        inputs = {"texts": [text]}
        try:
            loop.run_until_complete(guard.apply_guardrail(inputs, {}, "request"))
            return False, 0
        except Exception as blocked:
            if getattr(blocked, "status_code", None) not in (400, 403):
                raise
            return True, 1

    return detect


detect = globals()[sys.argv[1].replace("-", "_")]()
for line in sys.stdin:
    text = json.loads(line)
    started_at, cpu_before = time.perf_counter(), time.process_time()
    detected, score = detect(text)
    micros = (time.perf_counter() - started_at) * 1e6
    cpu = (time.process_time() - cpu_before) * 1e6
    result = {"detected": bool(detected), "score": float(score), "micros": micros, "cpuMicros": cpu}
    print(json.dumps(result), flush=True)
