// Package external runs other vendors' agents as sub-agents. These are programs that speak the
// Agent Client Protocol, and Marvin is their client. An agent runs in the same sandbox as a
// command, but has its own home directory with copies of its login files. Without approval, an
// agent can contact only the hosts in its entry in known.go or config.yaml. Its requests for
// permission become questions to the user, who can also undo its changes. Its text counts as text
// from an outsider.
//
// known.go lists the known agents. conn.go connects to an agent, talk.go makes one attempt at a
// task, and run.go supervises the attempts and makes the report.
package external
