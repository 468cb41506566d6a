// Package words finds files that people wrote for agents: instructions, rules, skills, commands and
// agent definitions, in the user's own directories and in a project.
//
// The search of a project goes from the root of the repository down to the working directory. The
// result contains every file with its state, such as loaded or shadowed, and the reason for that
// state. The package follows no link out of the repository and runs no program. The caller decides,
// based on a file's hash, whether a project's file may be used.
package words
