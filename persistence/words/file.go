package words

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"slices"
)

// Kind is the purpose of a file.
type Kind string

// The kinds.
const (
	Instructions Kind = "instructions" // guidance for a directory and its subdirectories
	Rule         Kind = "rule"         // instructions that can have a condition
	Sticky       Kind = "sticky"       // short rules repeated in a long conversation
	Skill        Kind = "skill"        // a procedure that the model reads when needed
	Command      Kind = "command"      // a prompt with a name
	Agent        Kind = "agent"        // a kind of sub-agent
	System       Kind = "system"       // text that replaces Marvin's own rules
	Addition     Kind = "addition"     // text that is added to the system text
	Document     Kind = "document"     // a file that only Marvin reads, such as .marvin/spec.md
)

// State says how a file is used.
type State string

// The states. [File.Why] gives the reason for every state except Loaded.
const (
	Loaded      State = "loaded"
	Shortened   State = "shortened"
	Shadowed    State = "shadowed" // replaced by another file
	Waits       State = "waits"    // a rule whose condition is not met yet
	LeftOut     State = "left out"
	SwitchedOff State = "off" // switched off by the user
)

// File is a file that people wrote for agents.
type File struct {
	Kind Kind
	Name string // path relative to the repository, with slashes; ~/… for the user's own files
	Path string // absolute
	Own  bool   // the user's own file, which needs no approval
	Dir  string // directory to which the file applies, relative to the repository root
	Head Head   // the front matter
	Text string // text for the model, with imports expanded
	From string // the program that uses this file name

	Imports []string // names of imported files
	Omitted []string // omissions from the text, such as "@a.md cannot be read" or "2 comments"
	Cut     int64    // bytes that were not read because of the size limit
	Nested  bool     // whether the file was found only because tool calls used its directory

	State State
	Why   string

	raw string // the whole text, for the hash
	sum string // the hash; "" if it is not computed yet
}

// Hash returns a hash of [File.Raw].
func (f File) Hash() string {
	if f.sum != "" {
		return f.sum
	}
	return hashOf(f.raw)
}

func hashOf(raw string) string {
	sum := sha256.Sum256([]byte(raw))
	var room [2 * sha256.Size]byte
	hex.Encode(room[:], sum[:])
	return string(room[:])
}

// Raw returns the unprocessed text of the file, followed by the text of each imported file.
func (f File) Raw() string { return f.raw }

// Used reports whether the file is part of the next request.
func (f File) Used() bool { return f.State == Loaded || f.State == Shortened }

// Inventory is the result of a search. Instructions and rules are in the order in which the model
// reads them. If two files contradict each other, the later file wins.
type Inventory struct {
	Root     string // the root that [RootOf] returns; "" if there is no working directory
	Below    string // the working directory relative to Root, with slashes
	Files    []File
	Problems []error // files that could not be read

	off []Switch // entries of not_read
}

// Of returns the files of the given kinds.
func (i Inventory) Of(kinds ...Kind) []File {
	var found []File
	for _, file := range i.Files {
		if slices.Contains(kinds, file.Kind) {
			found = append(found, file)
		}
	}
	return found
}

// ByName finds the active file of the given kind and name.
func (i Inventory) ByName(kind Kind, name string) (File, bool) {
	for _, file := range i.Files {
		if file.Kind == kind && file.CallName() == name && file.State != Shadowed && file.State != LeftOut && file.State != SwitchedOff {
			return file, true
		}
	}
	return File{}, false
}

// Problem returns i.Problems as one error, or nil if i.Problems is empty.
func (i Inventory) Problem() error { return errors.Join(i.Problems...) }

// CallName returns the name by which users request a skill, a command or an agent.
func (f File) CallName() string { return f.Head.Name }
