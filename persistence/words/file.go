package words

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"slices"
)

// Kind is what a file is for.
type Kind string

// The kinds.
const (
	Instructions Kind = "instructions" // how to work in a directory and below
	Rule         Kind = "rule"         // the same, for some files, some words, or on request
	Sticky       Kind = "sticky"       // short rules repeated in a long conversation
	Skill        Kind = "skill"        // a procedure that is read when it is needed
	Command      Kind = "command"      // a prompt under a name
	Agent        Kind = "agent"        // a kind of sub-agent
	System       Kind = "system"       // replaces Marvin's own rules
	Addition     Kind = "addition"     // appended to the system text
	Document     Kind = "document"     // of a name that only Marvin reads
)

// State is what became of a file.
type State string

// The states. Why in [File] has the reason of all but Loaded.
const (
	Loaded      State = "loaded"
	Shortened   State = "shortened"
	Shadowed    State = "shadowed" // another one counts instead
	Waits       State = "waits"    // for a file, a word or a request that it is about
	LeftOut     State = "left out"
	SwitchedOff State = "off" // by the user
)

// File is one that was found.
type File struct {
	Kind Kind
	Name string // below the repository, with slashes; of the user's own as they know it, ~/…
	Path string // absolute
	Own  bool   // the user's own file, used without asking
	Dir  string // that it speaks for, below the repository; "." for all of it
	Head Head   // the front matter
	Text string // for the model, with imports expanded
	From string // the program whose file name it is

	Imports []string // names of imported files
	Omitted []string // imports that were left as they are, with why
	Cut     int64    // bytes beyond what is read of one file
	Nested  bool     // of a directory that a call touched

	State State
	Why   string

	raw string // all of it, for the hash
	sum string // the hash, once it is known
}

// Hash stands for everything that the model may read of the file.
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

// Raw is the whole file with its imports, unchanged.
func (f File) Raw() string { return f.raw }

// Used says whether the model is to read it now.
func (f File) Used() bool { return f.State == Loaded || f.State == Shortened }

// Inventory is everything found. Instructions and rules are in the order in which the model reads
// them: a later one wins where they contradict.
type Inventory struct {
	Root     string // of the repository, absolute and without links; "" for none
	Below    string // the working directory in it, with slashes
	Files    []File
	Problems []error // what could not be read

	off []Switch // what the user switched off
}

// Of are the files of some kinds.
func (i Inventory) Of(kinds ...Kind) []File {
	var found []File
	for _, file := range i.Files {
		if slices.Contains(kinds, file.Kind) {
			found = append(found, file)
		}
	}
	return found
}

// Named is the file of a kind that counts under a name.
func (i Inventory) Named(kind Kind, name string) (File, bool) {
	for _, file := range i.Files {
		if file.Kind == kind && file.Called() == name && file.State != Shadowed && file.State != LeftOut && file.State != SwitchedOff {
			return file, true
		}
	}
	return File{}, false
}

// Problem is everything that could not be read; nil if there is nothing.
func (i Inventory) Problem() error { return errors.Join(i.Problems...) }

// Called is the name under which people ask for a skill, a command or an agent.
func (f File) Called() string { return f.Head.Name }
