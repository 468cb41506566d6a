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

// NewHTTPClient returns the HTTP client that all tools share. Each key of the map is a host name or
// host:port, and its value is the base URL of the server to contact instead.
func NewHTTPClient(hosts map[string]string) *http.Client { return web.NewClient(hosts) }

// UserAgent is the User-Agent of the client's requests.
type UserAgent = web.UserAgent

// Env holds everything that one call may use, so that tools need no globals.
type Env struct {
	Home     string            // the user's home directory; "" if unset
	State    string            // Marvin's own directory, ~/.config/marvin
	Profile  string            // the active profile's directory
	Dir      string            // the working directory, "" if none is set
	Coding   bool              // the conversation is in coding mode
	Person   bool              // a user is present to answer questions
	Approval messages.Approval // decides which calls need the user's approval; "" means "edits" if a user is present, otherwise "auto"
	ReadOnly bool              // tools that write are disabled
	Now      func() time.Time  // local time
	// ReadOnlyBy is the reason for ReadOnly; see [Mode.ReadOnlyBy].
	ReadOnlyBy string
	// Environ contains the process environment, one "NAME=value" string for each variable.
	// tools/internal/proc decides which of these variables a child process gets.
	Environ []string

	Held
	Root string // the working directory that the user chose; the sandbox confines commands to it

	Progress func(line string) // reports progress to the user; never nil
	Away     <-chan struct{}   // closed when the call should become a job; may be nil
	Room     int               // the maximum size of the call's result, in tokens
	Seen     *Stamps           // the file contents that this conversation has read; never nil
	Undo     Keeper            // saves the earlier content of changed files; may be nil
	// Artifacts is the store for outputs that are too long to show. If Artifacts is nil, nothing is
	// stored.
	Artifacts *artifacts.Store
	Works
	Known *KnownHosts // the network locations that the conversation may contact without asking the user
	// Personal contains the private values that occur in the system text.
	Personal Personal
	Tainted  string // the source of untrusted or private text, or ""
	Conversation
}

// ProfileName returns the name of the active profile.
func (e Env) ProfileName() string { return filepath.Base(e.Profile) }

// Key returns the API key in an environment variable, or "" if the variable is unset.
func (e Env) Key(name string) string { return strings.TrimSpace(envvar.Lookup(e.Environ, name)) }

// Held contains the sandbox, the rules and the exceptions that apply to one call.
type Held struct {
	Sandbox  *Sandbox // confines commands; nil confines nothing
	Beyond   []string // real paths of the directories that this call may use outside Root
	Writes   []string // real paths of the protected files that this call may write
	Approved bool     // the user approved this call
	Free     bool     // the call cannot be sandboxed, and the approval mode lets the call run
	Rules    *Permissions
	Anywhere bool              // a rule allows the whole command, including any host
	Line     string            // the call's command line, for questions to the user
	Told     func(host string) // called for each refused host, unless nil
	Speaks   []string          // hosts that an external agent is allowed to contact without approval
	// Stays is true if the command outlives the call. Marvin restricts the command's hosts as soon
	// as the conversation contains private or untrusted text.
	Stays bool

	ways *callNetworks // the networks of the call's commands; nil if the commands continue after the call
	job  func() string // returns the job's name; unset if the call waits for the command
}

// Conversation connects a call to its conversation. The zero value is for a call outside any
// conversation, for example from a shell.
type Conversation struct {
	Provider string         // the provider of the model that answers
	Model    string         // the model that answers
	Usage    messages.Usage // the session's usage up to this call
	Agent    bool           // the call belongs to a sub-agent
	Only     []string       // the tools given to the sub-agent; nil for all

	// History returns the text of one turn, and the number of turns so far. Turns are numbered from
	// 1. History is nil outside a conversation.
	History func(ctx context.Context, turn int) (text string, turns int, err error)
	// Skill returns the text of a skill, or of a file in the skill's directory. If name is "",
	// Skill returns the list of skills. Definition returns the kind of sub-agent with the given
	// name. Skill and Definition are nil outside a conversation.
	Skill      func(name, file string) (string, error)
	Definition func(name string) (AgentKind, error)

	// Ask asks the user, or takes the default if no user is present. Ask is nil outside a
	// conversation.
	Ask Asker
	// AskLater asks the user on behalf of a job that outlives its call. AskLater is nil if a job
	// cannot ask the user.
	AskLater Asker
	// Memory is the policy for facts that the model wants to remember: "ask", "auto" or "off"; ""
	// means "ask".
	Memory  string
	Typed   string // the part of the turn's prompt that the user typed
	Message string // the name of the prompt: "conversation ID/TURN"
	Private bool   // the conversation contains text from a private directory; only some providers may see this text
	// Earlier looks for the given words in the other stored conversations. It returns at most one
	// line per conversation, the most recently used first, up to the limit. Earlier is nil outside
	// a conversation.
	Earlier func(ctx context.Context, words string, limit int) ([]SaidLine, error)
	Jobs    Jobs // background work; nil if unsupported
	// Agents runs each task in a sub-agent, and returns the reports in the order of the tasks. The
	// limit is the maximum number of tasks at a time. Agents returns soon after ctx ends. Agents is
	// nil if sub-agents are not available.
	Agents func(ctx context.Context, limit int, tasks []Task) []Report

	SetDir func(path string) error // changes the working directory to an existing directory, given by its absolute path
	// SetProfile switches the conversation to an existing profile. The switch takes effect with the
	// next request.
	SetProfile func(name string) error
	// Compact summarizes the older part of the conversation before the next request. Compact is nil
	// outside a conversation.
	Compact func()
	// SetPlan replaces the conversation's plan. SetPlan is nil outside a conversation.
	SetPlan func(messages.Plan)
	Exit    func() // asks Marvin to exit after the answer
}

// SaidLine is a line of a stored conversation.
type SaidLine struct {
	Conversation string // ID of the conversation
	Title        string
	Who          string // the speaker: user or assistant
	At           time.Time
	Line         string
}

// Works contains a call's sources of information: Marvin's manual, language servers and MCP
// resources.
type Works struct {
	Manual    fs.FS     // the manual's pages, with file names of the form NAME.md; may be nil
	Languages Languages // the language servers; may be nil
	// Resource reads a resource from an MCP server, or lists the server's resources if uri is "".
	// Resource is nil if there are no servers.
	Resource func(ctx context.Context, server, uri string) (string, error)
}

// Mode returns the settings that decide which tools the conversation has.
func (e Env) Mode() Mode {
	return Mode{Coding: e.Coding, Person: e.Person, ReadOnly: e.ReadOnly, ReadOnlyBy: e.ReadOnlyBy, Agent: e.Agent, Only: e.Only, Rules: e.Rules}
}

// Variable returns the trimmed value of an environment variable, or "" if the variable is unset.
func (e Env) Variable(name string) string { return strings.TrimSpace(envvar.Lookup(e.Environ, name)) }

// LastWord returns the given prefix and a warning that the model's answer ends the run. If a user
// can reply to the answer, LastWord returns "".
func (e Env) LastWord(before string) string {
	if e.Person && !e.Agent {
		return ""
	}
	return before + "This run ends with your answer, so if the task needs the result, first wait for it with the jobs tool."
}

// Depth returns the number of Marvin processes among the ancestors of this process. In a sub-agent,
// Depth returns at least 1.
func (e Env) Depth() int {
	depth := envvar.Depth(e.Environ)
	if e.Agent {
		return max(1, depth)
	}
	return depth
}

// WithMode adds variables to the environment. The variables restrict a Marvin process to the rights
// of the mode.
func WithMode(environ []string, mode Mode) []string {
	environ = environ[:len(environ):len(environ)]
	if mode.Agent {
		environ = append(environ, envvar.DepthName+"="+strconv.Itoa(envvar.Depth(environ)+1))
	}
	if mode.ReadOnly {
		environ = append(environ, envvar.ReadOnlyName+"=1")
	}
	return environ
}

// ReadOnly reports whether MARVIN_READONLY disables tools that write. For an invalid value, it
// returns true and an error.
func ReadOnly(environ []string) (bool, error) { return envvar.ReadOnly(environ) }

// Open opens the working directory for file tools. The caller must close the result. Access
// outside the directory fails, as do unapproved writes to protected files.
func (e Env) Open() (*box.Dir, error) {
	if e.Dir == "" {
		return nil, Advise(errors.New("no working directory is set"), "Call set_working_dir with an absolute path first.")
	}
	return box.OpenIn(e.Root, e.Dir, e.guard())
}

// Stamps remembers, for each file, the content that a conversation last read or wrote. An edit is
// refused if the file no longer has that content. All paths are absolute. A Stamps is safe for
// concurrent use.
type Stamps struct {
	mu      sync.Mutex
	sums    map[string][sha256.Size]byte
	changed *written
}

// written contains the paths of the files that a conversation or its sub-agents changed.
type written struct {
	mu    sync.Mutex
	paths map[string]bool
}

// ForSubAgent returns the stamps for a sub-agent, which has not read any file yet. Files that the
// sub-agent changes count as changed by the conversation.
func (s *Stamps) ForSubAgent() *Stamps { return &Stamps{changed: s.record()} }

func (s *Stamps) record() *written {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.changed == nil {
		s.changed = &written{paths: map[string]bool{}}
	}
	return s.changed
}

// Change adds a created, changed or deleted file to the result of [Stamps.Changed].
func (s *Stamps) Change(path string) {
	record := s.record()
	record.mu.Lock()
	defer record.mu.Unlock()
	record.paths[path] = true
}

// Changed returns the sorted paths of all files that the conversation or a sub-agent changed.
func (s *Stamps) Changed() []string {
	record := s.record()
	record.mu.Lock()
	defer record.mu.Unlock()
	return slices.Sorted(maps.Keys(record.paths))
}

// Record remembers the content of a file after a call has read or written the file.
func (s *Stamps) Record(path string, content []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.sums == nil {
		s.sums = map[string][sha256.Size]byte{}
	}
	s.sums[path] = sha256.Sum256(content)
}

// Forget removes the record of a file.
func (s *Stamps) Forget(path string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.sums, path)
}

// Stale reports whether content differs from the file's recorded content. If no content is
// recorded, Stale returns false.
func (s *Stamps) Stale(path string, content []byte) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	sum, known := s.sums[path]
	return known && sum != sha256.Sum256(content)
}
