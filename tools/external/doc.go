// Package external runs agents from other vendors as sub-agents, through the Agent Client Protocol.
// An agent runs in a sandbox like that of commands. Each agent has its own home directory with
// copies of its login files. Without approval, an agent can contact only the hosts that known.go or
// config.yaml lists for it. If an agent requests a permission, the approval mode or the user
// decides. The user can undo an agent's changes. An agent's text is untrusted.
//
// known.go lists the known agents. conn.go connects to an agent, talk.go makes one attempt at a
// task, and run.go supervises the attempts and writes the report.
package external
