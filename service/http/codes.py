"""What each `code` of a problem means to whoever gets it, by the type of the problem. Shown on the problems' pages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

CODES: Final[Mapping[str, Mapping[str, str]]] = {
    "malformed": {
        "malformed": "The body, or a header, is not as it must be: `errors` and `detail` say where.",
        "invalid_parameter": "A parameter is of the wrong type, out of range, or not for this request.",
        "missing_parameter": "A parameter or header is needed and not there.",
        "repeated_parameter": "A query parameter stands twice.",
        "unknown_parameter": "The operation does not know the parameter. It may be misspelt.",
    },
    "unauthenticated": {
        "unauthenticated": "There is no token, or it is unknown, expired or revoked. Get another one.",
    },
    "forbidden": {
        "accounts_closed": "Here administrators make the accounts: ask one.",
        "dispute_not_for_reading": "An arbiter's token only settles. To look into the game, ask for an auditor's.",
        "dispute_settled": "The dispute is settled, so its auditors' tokens are good for nothing more.",
        "host_plays": "A host who plays cannot abort the game. Resign instead.",
        "missing_scope": "The token lacks a scope, named in `scope`. `GET /v1/accounts/me` says which it has.",
        "narrowing_exceeded": "A token makes tokens that reach no further than itself: same game, same seat.",
        "not_a_player": "You hold no seat of this game. Sit down first, or use the player's token.",
        "not_an_operator": "Measures are for the operators of the service.",
        "not_invited": "The game is private. Send the code that you were given as `invitation`.",
        "not_the_host": "Only who opened the table may do this.",
        "not_your_seat": "You do not hold that seat, or may not look with those eyes.",
        "other_dispute": "The token is for another dispute.",
        "other_game": "The token is narrowed to another game.",
        "other_seat": "The token or the invitation is for another seat.",
        "player_of_the_game": "Who plays the game does not judge it.",
        "read_only": "The token may only read.",
        "scope_exceeded": "A token makes tokens with scopes that it has itself.",
        "seat_without_game": "A token for a seat names the game too.",
        "which_seat": "You hold several seats, listed in `seats`. Say `?seat=`.",
    },
    "not_found": {
        "no_such_branch": "There is no such copy of yours, or it has expired. Make another one.",
        "no_such_dispute": "The game has no dispute with this number.",
        "no_such_game": "There is no such game, or it is private and you do not take part. The answer is the same.",
        "no_such_invitation": "The game has no such invitation.",
        "no_such_seat": "Seats are numbered from 0.",
        "no_such_version": "The game has not come so far, or `at` is 0.",
        "not_found": "There is nothing at this address, or nothing of that name.",
    },
    "method_not_allowed": {"method_not_allowed": "The address exists for the methods in `Allow`."},
    "not_acceptable": {"not_acceptable": "`detail` lists what the operation can answer with."},
    "conflict": {
        "ahead_of_log": "The log has not come as far as you say: a backup was restored, perhaps. Read it anew.",
        "already_seated": "You sit at this table already.",
        "branch_full": "A copy takes only so many moves. Make another one.",
        "code_forgotten": "The code cannot be shown again, as the service has a new key. Make another invitation.",
        "dispute_settled": "There is nothing more to settle.",
        "invitation_spent": "The invitation was used or revoked. Ask for another one.",
        "name_taken": "Another account has this name. Choose another one.",
        "not_running": "At that version there is nothing to play.",
        "rules_version_unknown": "This release no longer has the game's rules, `rules_version`. It can be read.",
        "too_long": "The log is too long to be checked here. Export it, and run `gusher audit`.",
        "too_many_tokens": "Revoke a token first.",
    },
    "version_mismatch": {"version_mismatch": "Look at `missed`, decide again, and send `etag` as `If-Match`."},
    "body_too_large": {"body_too_large": "No request needs so much."},
    "unsupported_media_type": {"unsupported_media_type": "Bodies are JSON, as they are, without Content-Encoding."},
    "unprocessable": {
        "idempotency_mismatch": "The `Idempotency-Key` was used for another request. Every new request has a new key.",
    },
    "too_many_requests": {
        "rate_limited": "The budget that `RateLimit-Policy` names is spent. Wait for `Retry-After` seconds.",
        "too_many_streams": "So many streams and long polls may be open, and are. Those that are open stay open.",
    },
    "internal": {
        "internal": "Send the same with the same key later, and tell the operator `instance`.",
        "log_damaged": "The game's log cannot be read. It stands still until an operator has looked.",
        "log_gone": "The game's log is gone. Tell the operator.",
        "unknown_ruleset": "The game is of a ruleset that is not on offer here any more.",
    },
    "unavailable": {
        "busy": "Others keep moving this game or this copy, or too many logs are being checked. Ask again.",
        "not_ready": "The service starts, or its database does not answer.",
        "store_unavailable": "Whether it was done is not known. Send the same with the same key, and it is done once.",
    },
}
"""Of a refused move the code is the rules' own reason, and the `rule` says what it is about."""
