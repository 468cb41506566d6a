// Package jobs is work in the background: reviews by another Marvin, and commands.
//
// A job is a process of its own, with its output in <dir>/.marvin/logs and a file in
// <dir>/.marvin/jobs (F11), so that it outlives the window that began it and the next
// Marvin finds it. Here is what one job does from its start to its account, as plain
// Go; who looks after which job, and who is told, is the business of marvin/actors.
//
// What a file of a project says is not believed. A pid counts only together with the
// time of its start, nothing is ended that does not carry the mark of its job, and the
// output is read from where the job's name says, never from a path in the file.
//
// Decided against: a branch, four reviewers and a fixer that commits, as the Python
// Marvin had them. A review reads; what follows from it is the person's to decide.
package jobs
