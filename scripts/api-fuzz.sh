#!/usr/bin/env bash
# Fuzzes the HTTP calls of the real program: Schemathesis generates requests from the served /api/openapi.json and
# compares every answer with it. Runs once anonymous and once signed in. Exits with 1 if the document and the program
# disagree. Arguments are passed to `schemathesis run`, such as --seed 7 or --max-examples 1000.
#
#   KVOTA_BIN=/path/to/kvota scripts/api-fuzz.sh             # a program that is already built
#   API_FUZZ_DOCUMENT=docs/openapi.json scripts/api-fuzz.sh  # this document instead of the served one
#
# A valid request may be rejected only by a rule that the document cannot express. The end of each run lists how many
# were.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
cd "$repo_root"

schemathesis_version=4.32.5
environment="${XDG_CACHE_HOME:-$HOME/.cache}/kvota/api-fuzz/$schemathesis_version"
schemathesis="$environment/bin/schemathesis"
if ! "$schemathesis" --version >/dev/null 2>&1; then
    rm -rf "$environment"
    # Debian has the module in a package of its own.
    python3 -c 'import ensurepip' 2>/dev/null || scripts/install-services.sh python3-venv
    step "python: a virtual environment" python3 -m venv "$environment"
    step "python: schemathesis $schemathesis_version" "$environment/bin/pip" install --quiet \
        "schemathesis==$schemathesis_version" regex==2026.11.19
fi

kvota="${KVOTA_BIN:-}"
if [ -z "$kvota" ]; then
    step "the program (the first time takes some minutes)" cargo build --locked --bin kvota
    kvota="$CARGO_TARGET_DIR/debug/kvota"
fi

folder="$(mktemp -d "${TMPDIR:-/tmp}/kvota-api-fuzz.XXXXXX")"
server=
cleanup() {
    if [ -n "$server" ]; then
        kill "$server" 2>/dev/null || true
        wait "$server" 2>/dev/null || true
    fi
    rm -rf "$folder"
}
trap cleanup EXIT
trap 'exit 130' INT TERM

# No delay of bets, a forwarded address for each request (see the hooks), and as many tabs as the fuzzer opens.
port="$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')"
origin="http://127.0.0.1:$port"
log="$repo_root/build/api-fuzz/server.log"
mkdir -p build/api-fuzz
KVOTA__STORE__DATA_DIR="$folder/data" KVOTA__BETTING__DELAY__DEFAULT=0 KVOTA__HTTP__TRUSTED_PROXIES=127.0.0.1 \
    KVOTA__HUB__CONNECTIONS_PER_SESSION_MAX=1000 "$kvota" serve --listen "127.0.0.1:$port" >"$log" 2>&1 &
server=$!
for _ in $(seq 300); do
    kill -0 "$server" 2>/dev/null || fail "the program has ended; see $log"
    ! curl --silent --fail --output /dev/null "$origin/readyz" || break
    sleep 0.2
done

# A bettor with an open bet on each of some matches, so that the calls of the account have something to return.
cat >"$folder/prepare.py" <<'PYTHON'
import json, sys, uuid
from decimal import ROUND_HALF_UP, Decimal
import requests

origin, out = sys.argv[1], sys.argv[2]
browser = requests.Session()
registered = browser.post(f"{origin}/api/v1/account/register", json={"name": "fuzzed", "password": str(uuid.uuid4())})
registered.raise_for_status()

def cents(amount):
    return amount.quantize(Decimal("0.01"), ROUND_HALF_UP)

def place(match, market, odd):
    bruto, value = Decimal(10), Decimal(str(odd["value"]))
    stake = cents(bruto * Decimal("0.95"))
    win = cents(stake * value)
    tax = cents((win - stake) * Decimal("0.1"))
    pair = {"matchId": match["id"], "marketId": odd["id"], "marketType": market["type"], "oddValue": str(value)}
    pair |= {"sbv": market.get("sbv"), "oddType": odd.get("type")}
    amounts = {"stake": stake, "bruto": bruto, "potentialWin": win, "winTax": tax, "payout": win - tax}
    ticket = {name: str(amount) for name, amount in amounts.items()}
    ticket |= {"systemType": 0, "consentForChangedOdss": True, "pairs": [pair]}
    key = {"Idempotency-Key": str(uuid.uuid4())}
    answer = browser.post(f"{origin}/api/v1/live/send-ticket", json=ticket, headers=key)
    return answer.json().get("ticketId")

offer = browser.get(f"{origin}/api/v1/live/offer").json()
matches = [match for sport in offer["sports"] for match in sport["matches"]]
odds = [(match, market, odd) for match in matches for market in match["markets"][:1] for odd in market["odds"][:1]
        if match["betting"] and not match.get("suspended") and 1 < odd["value"] < 20]
tickets = [ticket for ticket in (place(*odd) for odd in odds[:20]) if ticket]
if not tickets:
    sys.exit("no bet was accepted")
known = {
    "tickets": tickets,
    "matches": [match["id"] for match in matches],
    "odds": [(match["id"], odd["id"]) for match, _, odd in odds],
}
with open(out, "w") as file:
    json.dump(known, file)
print(browser.cookies["kvota-session"])
PYTHON

# Hooks of Schemathesis: existing ids, an address for each request, and the rules that no schema can express.
cat >"$folder/hooks.py" <<'PYTHON'
import atexit, collections, json, os, random, re, unicodedata
import regex, schemathesis
from schemathesis.core.parameters import ParameterLocation
from schemathesis.specs.openapi.checks import positive_data_acceptance

with open(os.environ["API_FUZZ_KNOWN"]) as file:
    known = json.load(file)
texts = []
for language in ("hr", "en", "bs", "sr"):
    with open(os.path.join(os.environ["API_FUZZ_TRANSLATIONS"], f"{language}.json")) as file:
        texts.append(json.load(file))
requests_sent, rejected = collections.Counter(), collections.Counter()
chance = random.Random()

def is_path_valid(case):
    path = case.meta and case.meta.components.get(ParameterLocation.PATH)
    return path is not None and path.mode.is_positive

def is_valid(case):
    return case.meta is not None and case.meta.generation.mode.is_positive

def ranges(characters):
    """The content of a character class for a property that Python's regular expressions lack."""
    # Rust and Python may know an older Unicode than this module does.
    known = (code if unicodedata.category(chr(code)) != "Cn" else 0 for code in range(0x110000))
    found = regex.finditer(f"[{characters}]+", "".join(map(chr, known)))
    return "".join(f"{chr(span.start())}-{chr(span.end() - 1)}" for span in found)

@schemathesis.hook
def before_load_schema(context, raw_schema):
    # The document's pattern is one that every generator can read, so it also matches names that are rejected.
    name = raw_schema["components"]["schemas"]["NewAccount"]["properties"]["name"]
    letters = ranges(r"\p{Alphabetic}\p{N}")
    space = r"[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]*"
    end, inner = rf"[{letters}._+@\-]", rf"[{letters}._+@ \-]"
    name["pattern"] = f"^{space}{end}(?:{inner}{{0,62}}{end})?{space}$"

def whole_as_integer(value):
    """JSON Schema counts 7.0 as an integer; a ticket must write 7."""
    if isinstance(value, dict):
        return {name: whole_as_integer(member) for name, member in value.items()}
    if isinstance(value, list):
        return [whole_as_integer(member) for member in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value

@schemathesis.hook
def before_call(context, case, kwargs):
    # The limits by address would hide what comes after them.
    case.headers["X-Forwarded-For"] = ".".join(["10"] + [str(chance.randrange(256)) for _ in range(3)])
    if is_valid(case) and case.path == "/api/v1/live/send-ticket":
        case.body = whole_as_integer(case.body)
    if chance.random() < 0.5:
        return
    if is_path_valid(case) and case.path == "/api/v1/live/match/{id}":
        case.path_parameters["id"] = chance.choice(known["matches"])
    if is_path_valid(case) and case.path.startswith("/api/v1/account/tickets/{id}"):
        case.path_parameters["id"] = chance.choice(known["tickets"])
    if not is_valid(case):
        return
    match, odd = chance.choice(known["odds"])
    if case.query and "eventId" in case.query:
        case.query["eventId"] = match
    if case.query and "oddId" in case.query:
        case.query["oddId"] = odd

@schemathesis.hook
def after_call(context, case, response):
    requests_sent[response.status_code] += 1

def matches(message, is_key):
    patterns = [text for language in texts for key, text in language.items() if is_key(key)]
    patterns = [".*".join(re.escape(part) for part in re.split(r"\{\{.*?\}\}", text)) for text in patterns]
    return any(re.fullmatch(pattern, message, re.DOTALL) for pattern in patterns)

def rule(case, response):
    """The rule outside the document that rejects a valid request, or None."""
    if response.status_code != 400:
        return None
    answer, body = response.json(), case.body
    message = answer["message"]
    # Everything about a ticket except its form.
    is_rule = lambda key: key.startswith("refused") and key not in ("refusedMalformed", "refusedNoKey")
    if case.path == "/api/v1/live/send-ticket" and matches(message, is_rule):
        return "send-ticket: a rule of tickets"
    if "/cash-out" in case.path and answer.get("reason", "malformed") != "malformed":
        return "cash-out: a rule of cash-outs"
    if case.path == "/api/v1/account/register":
        if matches(message, lambda key: key == "errorNameTaken"):
            return "register: the name is taken"
        if matches(message, lambda key: key == "errorPassword") and len(body["password"].encode()) > 256:
            return "register: a password of at most 256 characters has more than 256 bytes"
    if case.path == "/api/v1/account/tickets" and case.query.get("cursor"):
        if matches(message, lambda key: key == "errorCursor"):
            return "tickets: no page returned the cursor"
    return None

@schemathesis.check
def valid_request_is_accepted(ctx, response, case):
    if not is_valid(case) or response.status_code == 101:
        return None
    found = rule(case, response)
    if found is None:
        return positive_data_acceptance(ctx, response, case)
    rejected[found] += 1
    return None

@atexit.register
def summary():
    statuses = ", ".join(f"{count} x {status}" for status, count in sorted(requests_sent.items()))
    print(f"{sum(requests_sent.values())} requests: {statuses}")
    for found, count in sorted(rejected.items()):
        print(f"valid, but rejected by a rule: {count} x {found}")
PYTHON

session="$("$environment/bin/python" "$folder/prepare.py" "$origin" "$folder/known.json")"
# The fuzzer would report 101 as an error of the server.
cat >"$folder/anonymous.toml" <<TOML
hooks = "$folder/hooks.py"
[[operations]]
include-name = "GET /api/v1/live/hub"
checks.not_a_server_error.expected-statuses = ["101", "2xx", "3xx", "4xx"]
TOML
{
    cat "$folder/anonymous.toml"
    printf '[auth.openapi.session]\napi_key = "%s"\n' "$session"
} >"$folder/signed-in.toml"

document="$origin/api/openapi.json"
[ -z "${API_FUZZ_DOCUMENT:-}" ] || document="$(realpath "$API_FUZZ_DOCUMENT")"
export API_FUZZ_KNOWN="$folder/known.json" API_FUZZ_TRANSLATIONS="$repo_root/config/translations"
# The fuzzer keeps its files in the current folder.
cd build/api-fuzz
status=0
# Retries, because the fuzzer may use a connection of the hub for its next request.
fuzz() {
    local as="$1"
    shift
    say "--- $as"
    "$schemathesis" --config-file "$folder/$as.toml" --no-color run "$document" --url "$origin" --continue-on-failure \
        --exclude-checks positive_data_acceptance --generation-database none --warnings off --output-sanitize false \
        --request-retries 3 "$@" || status=1
}
fuzz anonymous "$@"
# Register, login and logout end the session of the request, so only the first run calls them.
fuzz signed-in --exclude-path-regex '/account/(register|login|logout)$' "$@"

kill -0 "$server" 2>/dev/null || fail "the program has ended; see $log"
curl --silent --fail --output /dev/null --cookie "kvota-session=$session" "$origin/api/v1/live/user-status" ||
    fail "the login has ended, so the second run was anonymous in part"
[ "$status" = 0 ] || fail "the document and the program disagree"
