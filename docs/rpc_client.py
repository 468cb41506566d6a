#!/usr/bin/env python3
"""A client of marvin rpc: python3 rpc_client.py "what to ask" [options of marvin]"""
import json
import subprocess
import sys

if len(sys.argv) < 2:
    sys.exit(f"usage: {sys.argv[0]} \"what to ask\" [options of marvin]")
marvin = subprocess.Popen(["marvin", "rpc", *sys.argv[2:]], encoding="utf-8",
                          stdin=subprocess.PIPE, stdout=subprocess.PIPE)

def send(kind, **op):
    marvin.stdin.write(json.dumps({"type": kind, "op": op}) + "\n")
    marvin.stdin.flush()

send("prompt", text=sys.argv[1])
outcome = "failed"
for line in marvin.stdout:
    message = json.loads(line)
    event = message.get("event", {})
    if message["type"] == "text":
        print(event["chunk"], end="", flush=True)
    elif message["type"] == "asked":
        print(event["title"], event["detail"], sep="\n")
        said = input("/".join(event["choices"]) + "? ").strip().lower()
        fitting = [one for one in event["choices"] if said and one.startswith(said)]
        send("answer", ask=event["ask"], choice=fitting[0] if fitting else "no")
    elif message["type"] in ("error", "refused"):
        print(message.get("error") or event["error"], file=sys.stderr)
    elif message["type"] == "turn_ended":
        outcome = event["outcome"]
        send("quit")
sys.exit(0 if outcome == "completed" else 1)
