// Package words finds files that people wrote for agents: instructions, rules, skills, commands and
// agent definitions. It searches the user's own directories and, in a project, each directory from
// the root of the repository to the working directory.
//
// The result contains the state of every file, such as loaded or shadowed, and the reason if a file
// is not loaded. The package runs no programs, and does not follow symbolic links that lead out of
// the repository. The caller decides, based on [File.Hash], whether to use a project's file.
package words
