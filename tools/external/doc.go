// Package external runs agents from other vendors as sub-agents, through the Agent Client Protocol.
// An agent's sandbox is like a command's, but has a separate home directory with copies of the
// agent's login files. Without approval, an agent can contact only the hosts that known.go or
// config.yaml lists for it. The approval mode or the user decides about the permissions that an
// agent requests. The user can undo an agent's changes, and an agent's text is untrusted.
//
// known.go lists the known agents. conn.go connects to an agent, talk.go makes one attempt at a
// task, and run.go supervises the attempts and writes the report.
package external
