// Package external runs other vendors' agents as sub-agents. These are programs that speak the
// Agent Client Protocol, and Marvin is their client. Such a program works in the same sandbox as a
// command. It has its own home directory with copies of its login files. Without approval, it
// contacts only the hosts in the agent's entry in known.go or config.yaml. The agent's requests for
// permission become questions to the user. The user can undo the agent's changes. The agent's text
// counts as an outsider's text.
//
// known.go has the table of known agents, conn.go the connection, talk.go one attempt at a task,
// run.go the supervision of attempts and the report.
package external
