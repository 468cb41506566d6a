package actors

import (
	"cmp"
	"slices"
	"strings"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/prompt"
	"marvin/actors/internal/task"
	"marvin/actors/internal/transcript"
	"marvin/messages"
	"marvin/providers"
	"marvin/tools"
)

// How a turn begins: what a request needs is gathered beside the actor, and the
// first request goes out once it is there.

func (r *router) start(c actor.Context) {
	if limit := r.conversation.Policy.Limits.Time; limit > 0 {
		task.After(c, limit, overtime{})
	}
	r.welcome(c)
}

// gather begins to read what the first request needs.
func (r *router) gather(c actor.Context) {
	r.prepare(c)
	config, registry, mode, choice, offered := r.config, r.tools, r.mode, r.choice, r.offered
	r.describe(c, func() ([]tools.Tool, int) {
		window := config.askedWindow(choice)
		return registry.Since(mode, window, offered != nil, func(name string) bool { return knows(offered, name) }), window
	})
	r.listen(c)
}

// describe makes the schemas that a request carries. At the start this runs beside
// prepare: inferring thirty of them takes about 1.5 ms.
func (r *router) describe(c actor.Context, choose func() (more []tools.Tool, window int)) {
	task.Do(c, func() any { return describe(choose()) }, func(panicked *task.Panicked) any {
		return described{problems: []string{"tools could not be described: " + panicked.Error()}}
	})
}

// describe makes the schemas for a window of so many tokens.
func describe(list []tools.Tool, window int) described {
	message := described{window: window}
	for _, tool := range list {
		schema, err := tool.Schema()
		if tools.SmallWindow(window) {
			tool.Doc, schema, err = tool.Short()
		}
		if err != nil {
			message.problems = append(message.problems, err.Error())
			continue
		}
		message.specs = append(message.specs, providers.ToolSpec{Name: tool.Name, Doc: tool.Doc, Schema: schema})
	}
	return message
}

// described makes tools callable from the next request on. Specs are only appended,
// so that the prefix of a request stays what it was; a tool that the conversation's mode
// has no longer is refused when it is called.
func (r *router) described(c actor.Context, message described) {
	for _, problem := range message.problems {
		c.Send(r.brief.session, messages.Notice{Level: messages.Problem, Text: problem})
	}
	for _, spec := range message.specs {
		r.offer(spec)
	}
	r.toolsReady, r.window = true, message.window
	r.begin(c)
}

// prepare reads what the system text is made of; it runs again when a tool changed
// the working directory or the profile.
func (r *router) prepare(c actor.Context) {
	r.phase, r.filesRead, r.filesReady = preparing, false, false
	r.reading++
	reading, conversation, mode := r.reading, r.conversation, r.mode
	wanted := gathering{
		first: !r.framed() && !r.brief.compact, ask: !r.brief.compact,
		tools:      r.tools,
		background: jobsClient{root: c.ActorSystem().Root, table: r.jobs, home: r.config.Home, dir: conversation.Dir},
		touched:    r.touched, prompt: r.brief.prompt + r.steered, told: r.frame.Told(), window: r.frame.Window,
	}
	without := func(why string) prepared {
		return prepared{reading: reading, parts: bare(r.config, conversation), late: true, notices: []string{why}, trust: conversation.trust}
	}
	r.stopWaiting = task.After(c, r.config.Tuning.Prepare, without("reading the profile and the project's files took too long; going on without them"))
	choice, framed := r.choice, r.framed()
	task.Do(c, func() any {
		wanted.model = r.config.askedWindow(choice)
		if !framed {
			wanted.window = room(wanted.model, wanted.tools, mode)
		}
		ready := gather(r.config, conversation, mode, wanted)
		ready.reading = reading
		return ready
	}, func(panicked *task.Panicked) any {
		return without("the profile could not be read: " + panicked.Error())
	})
}

func (r *router) prepared(c actor.Context, message prepared) {
	if r.phase != preparing || r.filesRead || message.reading != r.reading {
		return // a reading that came after its deadline
	}
	r.filesRead = true
	r.stopWaiting()
	for _, notice := range message.notices {
		if !slices.Contains(r.noticed, notice) { // a turn reads the files again when it touches others
			r.noticed = append(r.noticed, notice)
			c.Send(r.brief.session, messages.Notice{Level: messages.Warning, Text: notice})
		}
	}
	if message.brought { // guard: files of a strange directory taint
		r.tainted = cmp.Or(r.tainted, "the files that the directory brings")
	}
	if !message.late || !r.framed() {
		r.parts = message.parts
	}
	r.skilled = message.specs
	r.trust(c, message.trust)
	switch {
	case r.turn != nil:
	case r.brief.compact:
		r.turn = transcript.Resume(r.brief.history, r.brief.turn)
	default:
		r.turn = transcript.New(r.brief.history, r.brief.turn, r.prompt())
	}
	r.keepPrompt(c)
	if message.unapproved != nil && !r.cancel {
		r.unapproved = message.unapproved
		c.Request(r.brief.session, r.unapproved.question(r.brief.turn, r.number))
		return
	}
	r.filesReady = true
	r.begin(c)
}

// begin asks once everything that a request needs is there.
func (r *router) begin(c actor.Context) {
	switch {
	case r.phase != preparing || !r.filesReady || !r.toolsReady || !r.newsReady || r.kept.waits: // guard: a prompt is on the disk before it is asked
	case r.cancel:
		r.end(c, r.cancelled(), r.limit)
	case r.brief.parts != nil && len(r.brief.parts.Calls) > 0 && !r.opened:
		r.opened, r.before = true, true
		r.run(c, "", r.brief.parts.Calls)
	default:
		r.offerSkilled()
		r.tell()
		r.remind()
		r.ask(c)
	}
}

// offerSkilled offers the tools that come with the files, behind all others, whichever of
// the two was ready first: equal conversations begin with equal bytes.
func (r *router) offerSkilled() {
	for _, spec := range r.skilled {
		if len(r.parts.Skills) > 0 {
			r.offer(spec)
		}
	}
}

// tell brings the model up to date, behind what was said: requests of a conversation
// begin with the same bytes, also when the day, the directory or a file is another one.
func (r *router) tell() {
	var told []string
	from := messages.FromMarvin
	if !r.framed() {
		r.frame = prompt.Begin(r.parts)
	} else {
		var change string
		if r.frame, change = r.frame.Change(r.parts); change != "" {
			told = append(told, change)
		}
	}
	told, r.undone = append(told, r.undone...), nil
	if len(r.unsaid) > 0 {
		told, r.unsaid = append(told, fromHooks(r.unsaid)), nil
	}
	if len(r.news) > 0 {
		told = append(told, newsText(r.news))
		r.news, r.tainted = nil, cmp.Or(r.tainted, newsCame) // guard: what came meanwhile is a stranger's word
		from = messages.FromStranger
	}
	if len(told) > 0 {
		r.turn.AddNews(r.words(from, strings.Join(told, "\n\n")), r.number > 0)
	}
}
