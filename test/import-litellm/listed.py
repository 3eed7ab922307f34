"""
Prints what LiteLLM's API lists of keys and teams, made by LiteLLM's own code and without its database, whose engine is no part of the
package. Standard input: {"secrets": [two secrets of keys]}.
"""

import json
import sys
from datetime import datetime, timedelta, timezone

from fastapi.encoders import jsonable_encoder
from litellm.proxy._types import (
    LiteLLM_VerificationToken,
    Member,
    TeamListResponseObject,
    UserAPIKeyAuth,
)
from litellm.proxy.management_endpoints.key_management_endpoints import KeyListResponseObject
from litellm.proxy.utils import hash_token

shop, blocked = json.load(sys.stdin)["secrets"]
expires = datetime.now(timezone.utc) + timedelta(days=30)


def listed(secret, **fields):
    row = LiteLLM_VerificationToken(token=hash_token(secret), key_name=f"sk-...{secret[-4:]}", **fields)
    return UserAPIKeyAuth(**row.model_dump())


keys = KeyListResponseObject(
    keys=[
        listed(shop, key_alias="checkout", team_id="team-1", models=["fast"], rpm_limit=60, tpm_limit=50_000,
               max_budget=20.0, budget_duration="1d", expires=expires),
        listed(blocked, key_alias="stopped", models=[], blocked=True),
    ],
    total_count=2, current_page=1, total_pages=1,
)
team = TeamListResponseObject(
    team_id="team-1", team_alias="Shop", max_budget=500.0, budget_duration="30d", models=["fast", "slow"],
    members_with_roles=[Member(role="admin", user_email="ann@example.com")], team_memberships=[], keys=[],
)
print(json.dumps({"keys": jsonable_encoder(keys), "teams": jsonable_encoder([team])}))
