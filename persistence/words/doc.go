// Package words finds files that people wrote for agents: instructions, rules, skills, commands and
// definitions of agents, in the user's own directory and in a project.
//
// One table (sources) lists the file names and the places in which they are valid. One walk goes
// from the root of the repository down to the working directory. The result contains every file
// with its state, such as used or shadowed, and the reason for that state. The package follows no
// link out of the repository and runs nothing. The caller decides by a file's hash whether a file
// of a project may be used.
package words
