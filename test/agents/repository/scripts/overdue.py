"""Prints overdue loans as a table: overdue.py LOANS.json"""

import json
import sys
from datetime import datetime, timezone


def overdue(loans, now):
    return sorted(
        (loan for loan in loans if datetime.fromisoformat(loan["due"]) < now),
        key=lambda loan: loan["due"],
    )


def main(path):
    with open(path, encoding="utf-8") as file:
        loans = json.load(file)
    for loan in overdue(loans, datetime.now(timezone.utc)):
        print(f"{loan['due']}  {loan['member']:<8}  {loan['isbn']}")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
