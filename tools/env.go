package tools

import (
	"context"
	"crypto/sha256"
	"errors"
	"io/fs"
	"maps"
	"net/http"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"marvin/messages"
	"marvin/persistence/artifacts"
	"marvin/tools/internal/box"
	"marvin/tools/internal/envvar"
	"marvin/tools/internal/web"
)

// NewHTTPClient makes the one client that all tools share. Hosts maps a host name
// to a base URL that answers for it, as /etc/hosts does for addresses.
func NewHTTPClient(hosts map[string]string) *http.Client { return web.NewClient(hosts) }

// UserAgent is how the client says who asks.
type UserAgent = web.UserAgent

// Env is everything one call may use. It uses no globals.
type Env struct {
	Home     string            // the user's home directory; "" if unset
	State    string            // Marvin's own directory, ~/.config/marvin
	Profile  string            // the active profile's directory
	Dir      string            // the working directory, "" if none is set
	Coding   bool              // coding mode: notes live in the project
	Person   bool              // someone can be asked
	Approval messages.Approval // what runs unasked; "" is edits with a person and auto without
	ReadOnly bool              // tools that write are off
	Now      func() time.Time  // local time
	// ReadOnlyBy says why tools that write are off, as [Mode] does.
	ReadOnlyBy string
	// Environ is the process environment as "NAME=value". Children never see it
	// whole: tools/internal/proc removes keys and what could redirect git.
	Environ []string

	Held
	Root string // the working directory that the user chose, which the sandbox holds to

	Progress func(line string) // tells people how far it is; never nil
	Away     <-chan struct{}   // closed when the call should become a job; may be nil
	Room     int               // tokens that a result may still take before the context budget warns
	Seen     *Stamps           // what this conversation read of each file; never nil
	Undo     Keeper            // keeps what files hold before the call changes them; nil keeps nothing
	// Artifacts keep what the call puts out beyond what is shown; nil keeps nothing.
	Artifacts *artifacts.Store
	Works
	Known *KnownHosts // the places on the network that it knows
	// Personal are the private values in the system text.
	Personal Personal
	Tainted  string // what brought in words of strangers or what is private; "" if nothing did
	Conversation
}

// ProfileName is the name of the active profile.
func (e Env) ProfileName() string { return filepath.Base(e.Profile) }

// Key is the key in a variable, "" if there is none.
func (e Env) Key(name string) string { return strings.TrimSpace(envvar.Lookup(e.Environ, name)) }

// Held says what holds the commands of a call, and what it may do beyond that.
type Held struct {
	Sandbox  *Sandbox // what holds commands; nil holds nothing
	Beyond   []string // directories outside of Root, by their real paths, that this call may work in
	Writes   []string // protected files, by their real paths, that this call may write
	Approved bool     // a person looked at this very call and said yes
	Free     bool     // the sandbox cannot hold this call, and the approval mode lets it run without
	Rules    *Permissions
	Anywhere bool              // a rule of the user allows the command whole, to whatever host it speaks
	Line     string            // the command of the call, for questions about it
	Told     func(host string) // called for each refused host; nil if the result says it
	Speaks   []string          // additional hosts that the command may contact
	Stays    bool              // the command continues after its call, so that later private or untrusted text restricts its hosts

	ways *ways         // the networks of the commands of the call; nil where it does not wait for them
	job  func() string // the name of the job whose command it is; nil for one that the call waits for
}

// Conversation is the one that a call belongs to: what it knows of it, asks of it and
// changes in it. The zero value is that of a call outside of any, as from a shell.
type Conversation struct {
	Provider string         // who answers in it
	Model    string         // which of its models
	Usage    messages.Usage // of the session, before this call
	Agent    bool           // the call is a sub-agent's
	Only     []string       // the tools that a sub-agent was given; nil for all

	// History is a turn of the conversation, counted from 1, as text, and how many there
	// are. It is nil where there is no conversation.
	History func(ctx context.Context, turn int) (text string, turns int, err error)
	// Skill returns the text of a skill, of a file beside it, or without a name the list of all;
	// Definition returns a kind of sub-agent. They are nil without a conversation.
	Skill      func(name, file string) (string, error)
	Definition func(name string) (AgentKind, error)

	// Ask asks the user, or takes the default without one. It is nil without a conversation.
	Ask Asker
	// AskLater asks for a job after its call ended. It is nil if no user would answer.
	AskLater Asker
	// Memory is what becomes of facts that a model wants to remember: ask, auto or off; "" is ask.
	Memory  string
	Typed   string // what the user typed of the prompt of the turn
	Message string // names the prompt, as "conversation ID/3"
	Private bool   // the conversation has text of a private directory, which only some providers may see
	// Earlier finds what was said in kept conversations, the newest first, at most so many. It is
	// nil where there is no conversation.
	Earlier func(ctx context.Context, words string, most int) ([]SaidLine, error)
	Jobs    Jobs // background work; nil if unsupported
	// Agents runs sub-agents, at most parallel at once, and returns their reports in the order of
	// the tasks. It returns soon after ctx ends, with the reports so far. It is nil if sub-agents
	// are not available.
	Agents func(ctx context.Context, parallel int, tasks []Task) []Report

	SetDir func(path string) error // makes an absolute, existing directory the working directory
	// SetProfile switches the conversation to an existing profile from the next request.
	SetProfile func(name string) error
	// Compact has the older part of the conversation summarized before the model is
	// asked again. It is nil where there is no conversation.
	Compact func()
	// SetPlan replaces the plan of the conversation. It is nil without a conversation.
	SetPlan func(messages.Plan)
	Exit    func() // asks to leave once the answer is out
}

// SaidLine is a line that was said in a kept conversation.
type SaidLine struct {
	Conversation string // its id
	Title        string
	Who          string // user or assistant
	At           time.Time
	Line         string
}

// Works are what a call may look things up in.
type Works struct {
	Manual    fs.FS     // the pages of Marvin's manual, as NAME.md; may be nil
	Languages Languages // the language servers; may be nil
	// Resource reads what an MCP server lists at an address, or the list; nil without servers.
	Resource func(ctx context.Context, server, uri string) (string, error)
}

// Mode is what the conversation of the call has tools for.
func (e Env) Mode() Mode {
	return Mode{Coding: e.Coding, Person: e.Person, ReadOnly: e.ReadOnly, ReadOnlyBy: e.ReadOnlyBy, Agent: e.Agent, Only: e.Only, Rules: e.Rules}
}

// Variable is the value of an environment variable without surrounding space, "" if unset.
func (e Env) Variable(name string) string { return strings.TrimSpace(envvar.Lookup(e.Environ, name)) }

// LastWord adds to a report on background work that no user will continue after the answer; "" if
// one will.
func (e Env) LastWord(before string) string {
	if e.Person && !e.Agent {
		return ""
	}
	return before + "This run ends with your answer: if the task needs the result, wait for it with jobs first."
}

// Depth is how many Marvins, or conversations of one, called one another to get here.
func (e Env) Depth() int {
	depth := envvar.Depth(e.Environ)
	if e.Agent {
		return max(1, depth)
	}
	return depth
}

// Telling is the environment of a call in a mode, so that a Marvin which the call starts
// may not do more than the call.
func Telling(environ []string, mode Mode) []string {
	environ = environ[:len(environ):len(environ)]
	if mode.Agent {
		environ = append(environ, envvar.DepthName+"="+strconv.Itoa(envvar.Depth(environ)+1))
	}
	if mode.ReadOnly {
		environ = append(environ, envvar.ReadOnlyName+"=1")
	}
	return environ
}

// ReadOnly says whether MARVIN_READONLY turns tools that write off. A value that means
// neither yes nor no is an error, and yes.
func ReadOnly(environ []string) (bool, error) { return envvar.ReadOnly(environ) }

// Open opens the working directory as a sandbox for file tools: what is in it is not left,
// and nothing is written that decides what programs do elsewhere. Close it after use.
func (e Env) Open() (*box.Dir, error) {
	if e.Dir == "" {
		return nil, Advise(errors.New("no working directory is set"), "Call set_working_dir with an absolute path first.")
	}
	return box.OpenIn(e.Root, e.Dir, e.guard())
}

// Stamps remembers the content that a conversation has seen of each file, so that
// an edit of a file that changed meanwhile is refused. Keys are absolute paths.
// It is safe for concurrent use.
type Stamps struct {
	mu      sync.Mutex
	sums    map[string][sha256.Size]byte
	changed *written
}

// written are the files that a conversation and its sub-agents changed.
type written struct {
	mu    sync.Mutex
	paths map[string]bool
}

// Under makes the memory of a sub-agent: it has read nothing yet, and what it changes is
// changed by the conversation.
func (s *Stamps) Under() *Stamps { return &Stamps{changed: s.record()} }

func (s *Stamps) record() *written {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.changed == nil {
		s.changed = &written{paths: map[string]bool{}}
	}
	return s.changed
}

// Change notes that the conversation changed, made or deleted a file.
func (s *Stamps) Change(path string) {
	record := s.record()
	record.mu.Lock()
	defer record.mu.Unlock()
	record.paths[path] = true
}

// Changed are the files that the conversation changed.
func (s *Stamps) Changed() []string {
	record := s.record()
	record.mu.Lock()
	defer record.mu.Unlock()
	return slices.Sorted(maps.Keys(record.paths))
}

// Note remembers the content last read from, or written to, path.
func (s *Stamps) Note(path string, content []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.sums == nil {
		s.sums = map[string][sha256.Size]byte{}
	}
	s.sums[path] = sha256.Sum256(content)
}

// Forget drops what is known of path.
func (s *Stamps) Forget(path string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.sums, path)
}

// Stale reports whether path was seen before with another content.
func (s *Stamps) Stale(path string, content []byte) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	sum, known := s.sums[path]
	return known && sum != sha256.Sum256(content)
}
