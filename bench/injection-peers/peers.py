"""Detectors of PyPI, each at its defaults. Reads a JSON string a line, writes {"detected", "score", "micros"} a line.

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


detect = globals()[sys.argv[1].replace("-", "_")]()
for line in sys.stdin:
    text = json.loads(line)
    started_at = time.perf_counter()
    detected, score = detect(text)
    micros = (time.perf_counter() - started_at) * 1e6
    print(json.dumps({"detected": bool(detected), "score": float(score), "micros": micros}), flush=True)
