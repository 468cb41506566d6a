// Package words finds what people wrote for agents: instructions, rules, skills,
// commands and definitions of agents, in the user's own directory and in a project.
//
// One table (sources) says which names count where, one walk goes from the root of the
// repository down to the working directory, and everything that was found comes back, with
// what became of it: what was used, shadowed, shortened or left out, and why. Nothing is
// followed out of the repository, nothing is run, and whether a file of a project may be
// used is for the caller to decide, by its hash.
package words
