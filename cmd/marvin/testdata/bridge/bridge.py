"""What a web chat does with Marvin: a message becomes a process, its output events.

It reads {"message", "history", "options", "quiet", "limit"} from standard input and
writes server-sent events as a browser gets them. Cost goes to standard error.
"""
import asyncio
import json
import sys
from asyncio.subprocess import PIPE


def prompt(message, history):
    if not history:
        return message
    names = {"user": "User"}
    said = [f"  {names.get(entry['role'], 'Marvin')}: {entry['text']}" for entry in history[-20:]]
    return "\n".join(["Previous conversation (for context):", *said, "", "Current message:", message])


def event(kind, **fields):
    print("data: " + json.dumps({"type": kind, **fields}) + "\n", flush=True)


async def relay(marvin, quiet):
    """Passes on line by line, and says so when none comes for a while."""
    while True:
        try:
            line = await asyncio.wait_for(marvin.stdout.readline(), quiet)
        except TimeoutError:
            event("thinking")
            line = await marvin.stdout.readline()
        if not line:
            return
        text = line.decode("utf-8").rstrip("\n")
        if text.startswith("  🔧 "):
            event("thinking")
        else:
            event("token", content=text)


def cost(stderr):
    for line in stderr.decode("utf-8").splitlines():
        if line.startswith("MARVIN_COST:"):
            return json.loads(line[len("MARVIN_COST:"):])


async def answer(wish):
    marvin = await asyncio.create_subprocess_exec(
        "marvin", "--non-interactive", "--prompt", prompt(wish["message"], wish.get("history")), *wish["options"],
        stdout=PIPE, stderr=PIPE, limit=1 << 20)
    problem = None
    try:
        await asyncio.wait_for(relay(marvin, wish.get("quiet", 2)), wish.get("limit", 300))
    except TimeoutError:
        marvin.terminate()
        problem = "Marvin took too long"
    stderr = await marvin.stderr.read()
    code = await marvin.wait()
    if code != 0:
        event("error", message=problem or f"Marvin process exited with code {code}")
    else:
        event("done")
    print(json.dumps(cost(stderr)), file=sys.stderr)


asyncio.run(answer(json.load(sys.stdin)))
