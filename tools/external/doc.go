// Package external runs other vendors' agents as sub-agents. These are programs that speak the
// Agent Client Protocol, and Marvin is their client. Such a program works in the same sandbox as a
// command. It has a home directory of its own with copies of its login files, and contacts only
// hosts that are named for it. Its requests for permission become questions to the user. The user
// can undo its changes. Its text counts as an outsider's text.
//
// known.go has the table of known agents, conn.go the connection, talk.go one attempt at a task,
// run.go the supervision of attempts and the report.
package external
