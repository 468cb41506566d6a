// A client over the official SDK: node client.mjs SDK WIRE DIR COMMAND...
// It drives an agent through every method that it offers. WIRE gets each line that went in (>)
// and out (<). What the agent did is one JSON object on standard output.
import { spawn } from "node:child_process";
import { appendFileSync, readFileSync } from "node:fs";
import { Readable, Transform, Writable } from "node:stream";

const [, , sdk, wire, dir, ...command] = process.argv;
const acp = await import(sdk);
const agent = spawn(command[0], command.slice(1), { stdio: ["pipe", "pipe", "inherit"] });
const tee = (mark) => {
  let rest = "";
  return new Transform({
    transform(chunk, _, done) {
      const lines = (rest + chunk).split("\n");
      rest = lines.pop();
      for (const line of lines) if (line.trim()) appendFileSync(wire, mark + line + "\n");
      done(null, chunk);
    },
  });
};
const to = tee(">"), from = tee("<");
to.pipe(agent.stdin);
agent.stdout.pipe(from);

const seen = { updates: [], permissions: 0, forms: 0, text: "" };
let cancelling = null;
const app = acp
  .client({ name: "test" })
  .onNotification("session/update", ({ params }) => {
    const update = params.update;
    seen.updates.push(update.sessionUpdate);
    if (update.sessionUpdate === "agent_message_chunk") seen.text += update.content.text;
  })
  .onRequest("session/request_permission", ({ params }) => {
    seen.permissions++;
    if (cancelling) {
      cancelling(params.sessionId);
      return { outcome: { outcome: "cancelled" } };
    }
    const option = params.options.find((one) => one.kind === "allow_once");
    return { outcome: { outcome: "selected", optionId: option.optionId } };
  })
  .onRequest("elicitation/create", () => {
    seen.forms++;
    return { action: "accept", content: { q1: "blue" } };
  });

const connection = app.connect(acp.ndJsonStream(Writable.toWeb(to), Readable.toWeb(from)));
const call = (method, params) => connection.agent.request(method, params);
const hello = await call("initialize", {
  protocolVersion: acp.PROTOCOL_VERSION,
  clientCapabilities: { elicitation: { form: {} }, session: { configOptions: { boolean: {} }, notices: {} } },
});
await call("authenticate", { methodId: hello.authMethods.at(-1).id });
const { sessionId, modes, configOptions } = await call("session/new", { cwd: dir, mcpServers: [] });
const ask = async (text) => (await call("session/prompt", { sessionId, prompt: [{ type: "text", text }] })).stopReason;
const stops = [];
stops.push(await ask("hello"));
stops.push(await ask('create_file {"path":"a.txt","content":"one\\n"}'));
stops.push(await ask('run_command {"command":"touch allowed"}'));
stops.push(await ask('ask_user {"question":"Which colour?","options":["red","blue"]}'));
cancelling = (id) => connection.agent.notify("session/cancel", { sessionId: id });
stops.push(await ask('run_command {"command":"touch cancelled"}'));
cancelling = null;
stops.push(await ask("/usage"));
await call("session/set_mode", { sessionId, modeId: "ask" });
const set = await call("session/set_config_option", { sessionId, configId: "coding", type: "boolean", value: false });
const list = await call("session/list", { cwd: dir });
await call("session/close", { sessionId });
const loaded = await call("session/load", { sessionId, cwd: dir, mcpServers: [] });
await call("session/close", { sessionId });
const resumed = await call("session/resume", { sessionId, cwd: dir, mcpServers: [] });
const forked = await call("session/fork", { sessionId, cwd: dir, mcpServers: [] });
const errors = [];
for (const [method, params] of [["session/dance", {}], ["session/prompt", { sessionId: "none", prompt: [{ type: "text", text: "x" }] }]]) {
  await call(method, params).catch((error) => errors.push(error.code));
}
agent.stdin.end();
const code = await new Promise((done) => agent.on("exit", done));
console.log(JSON.stringify({
  version: hello.protocolVersion, can: hello.agentCapabilities, modes: modes.currentModeId, options: configOptions.map((one) => one.id),
  stops, seen: { ...seen, updates: [...new Set(seen.updates)] }, coding: set.configOptions.find((one) => one.id === "coding").currentValue,
  listed: list.sessions.map((one) => one.sessionId).includes(sessionId), again: [loaded.modes.currentModeId, resumed.modes.currentModeId],
  forked: forked.sessionId !== sessionId, errors, code, file: readFileSync(dir + "/a.txt", "utf8"),
}));
process.exit(0);
