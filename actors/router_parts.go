package actors

import (
	"time"

	"marvin/actors/internal/splice"
	"marvin/messages"
	"marvin/providers"
	"marvin/tools"
)

// The parts of a turn. Each is written by the files of its name, and a turn has them by
// turns: it prepares, asks, mends what went wrong, and runs a round.

// preparation is what the first request waits for, and what of it is told and kept
// (router_begin.go, router_project.go, router_keep.go).
type preparation struct {
	window int // of the model, in tokens, for which they were chosen

	stopWaiting            func() // for the profile and the project
	reading                int    // counts; what an earlier one brings late is of another directory
	filesReady, toolsReady bool   // what preparing waits for
	newsReady              bool
	kept                   kept
	filesRead              bool        // and perhaps a person is asked about them
	unapproved             *unapproved // these
	logged                 writtenDown
	stopListening          func()
	news                   []string             // that the model is told before the prompt
	skilled                []providers.ToolSpec // of tools that come with the files
	noticed                []string             // that the person was told of the files
	touched                []string             // absolute paths that calls of the turn were about
	steered                string               // what the person said since the turn began
	undone                 []string             // what the person took back before it
}

// exchange is what the model is asked (router_ask.go, router_budget.go).
type exchange struct {
	question providers.Question // the last one
	pending  ask                // under way, or waiting until it can be paid for
	claim    *claim             // for it, where there is a limit
	queued   bool               // it waits
	refused  bool               // calls beyond the last round were refused once
	tidied   bool               // it was looked whether results may leave before it
	reply    messages.Message   // the last answer, but for its words
	summary  summary
	focus    string // what the summary must keep above all
}

// recovery is what went wrong with answers, and was mended (router_mend.go).
type recovery struct {
	reasked bool          // the model was told once to call tools properly
	joint   *splice.Joint // joins the continuation of an answer that broke off
	broken  string        // what was shown of that answer before the request under way
	retold  *splice.Joint // joins an answer that the same request tells again from its beginning
	tried   []Choice      // that took over in this turn
	failure error         // that broke the answer off first
}

// round is the calls of one answer (router_round.go).
type round struct {
	calls   []messages.ToolCall
	results []messages.ToolResult
	workers map[string]int // position of each living worker of the round, by process id
	inFront string         // words in front of the calls
	origins []messages.Origin
	begun   time.Time    // of the round
	found   []tools.Tool // what this round's searches found
	moved   bool         // this round changed the working directory, or touched files
	opened  bool         // the calls of the prompt were made
	before  bool         // the round is that of the prompt, and of no answer
}

// newRouter puts a turn together.
func newRouter(around surroundings, brief brief) *router {
	r := &router{turnState: newTurnState(around, brief)}
	r.undone, r.focus, r.workers = brief.undone, brief.focus, map[string]int{}
	r.logged = writtenDown{frame: r.frame, tools: len(r.offered)}
	return r
}
