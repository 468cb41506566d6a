// Package external runs agents of others as sub-agents: programs that speak the Agent Client
// Protocol. Marvin is their client. Such a program works in the sandbox of a command, in a home
// directory of its own with copies of its login files, and contacts only named hosts. Its
// requests for permission become questions to the user, its changes go into the journal of undo,
// and its words count as words of a stranger.
//
// known.go has the table of known agents, conn.go the connection, talk.go one attempt at a task,
// run.go the supervision of attempts and the report.
package external
