package turn

import (
	"cmp"
	"slices"
	"strings"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/jobs"
	"marvin/actors/internal/material"
	"marvin/actors/internal/prompt"
	"marvin/actors/internal/task"
	"marvin/actors/internal/transcript"
	"marvin/messages"
	"marvin/providers"
	"marvin/tools"
)

// preparation collects the files, tools and notifications for a request.
type preparation struct {
	*turnState
	kept *turnKeeping
	news *turnNews

	window      int                  // the context window in tokens, on which the selection of tools depends
	stopWaiting func()               // cancels the timeout for reading the files
	reading     int                  // number of the last attempt to read the files; results of earlier attempts are dropped
	filesRead   bool                 // the files have been read, but perhaps not approved
	unapproved  *material.Unapproved // the files to approve
	skilled     []providers.ToolSpec // schemas of the tools with which the model reads skills
	noticed     []string             // the notices already shown in this turn
	undone      []string             // changes that the user undid before the turn
	steered     string               // text that the user sent since the turn began
}

// prepareChanges reads the files again if necessary, and makes the schemas of new tools.
func (p *preparation) prepareChanges(c actor.Context, found []tools.Tool, moved bool, touched []string) {
	p.missing &^= theFiles | theTools
	if moved {
		p.read(c, touched)
	}
	if len(found) > 0 {
		p.missing |= theTools
		window := p.window
		describeBeside(c, func() ([]tools.Tool, int) { return found, window })
	}
}

// choose creates a task that makes schemas for tools unknown to the model. The task runs while the
// files are read, because thirty schemas take about 1.5 ms.
func (p *preparation) choose(c actor.Context) {
	config, registry, mode, choice, offered := p.Config, p.tools, p.mode, p.choice, p.offered
	describeBeside(c, func() ([]tools.Tool, int) {
		window := config.QueryWindow(choice)
		return registry.OfferedSince(mode, window, offered != nil, func(name string) bool { return KnowsTool(offered, name) }), window
	})
}

// describeBeside makes the schemas of the chosen tools in a separate task.
func describeBeside(c actor.Context, choose func() (more []tools.Tool, window int)) {
	task.Do(c, func() any { return material.Describe(choose()) }, func(panicked *task.Panicked) any {
		return material.ToolsDescribed{Problems: []string{"Marvin could not describe its tools: " + panicked.Error()}}
	})
}

// offerTools adds the described tools to all later requests. Calls to tools that the current mode
// excludes are refused.
func (p *preparation) offerTools(c actor.Context, message material.ToolsDescribed) step {
	for _, problem := range message.Problems {
		p.note(c, messages.Problem, problem)
	}
	for _, spec := range message.Specs {
		p.offer(spec)
	}
	p.missing &^= theTools
	p.window = message.Window
	return step{to: begins}
}

// read obtains the files for the system text. A turn reads them again when a tool has changed the
// working directory or the profile, when calls have used more files, and when the user has sent
// more text.
func (p *preparation) read(c actor.Context, touched []string) {
	p.filesRead = false
	p.missing |= theFiles
	p.reading++
	config, reading, conversation, mode := p.Config, p.reading, p.conversation, p.mode
	wanted := material.Gathering{
		First: !p.framed() && !p.input.Compact, Ask: !p.input.Compact,
		Tools:      p.tools,
		Background: jobs.Client{Root: c.ActorSystem().Root, Table: p.Jobs, Home: p.Config.Home, Dir: conversation.Dir},
		Touched:    touched, Prompt: p.input.Prompt + p.steered, Told: p.frame.KnownInstructions(), Window: p.frame.Window,
	}
	if p.framed() {
		wanted.Facts = p.frame.Facts()
	}
	without := func(why string) material.Prepared {
		return material.Prepared{Reading: reading, Parts: material.BaseParts(config, conversation), Late: true, Notices: []string{why}, Trust: conversation.Trust}
	}
	p.stopWaiting = task.After(c, p.Config.Tuning.Prepare, without("reading the profile and the project's files took too long; continuing without them"))
	choice, framed := p.choice, p.framed()
	task.Do(c, func() any {
		wanted.Model = config.QueryWindow(choice)
		if !framed {
			wanted.Window = material.Room(wanted.Model, wanted.Tools, mode)
		}
		ready := material.Gather(config, conversation, mode, wanted)
		ready.Reading = reading
		return ready
	}, func(panicked *task.Panicked) any {
		return without("the profile could not be read: " + panicked.Error())
	})
}

// receiveFiles stores the contents of the files. If some files are unapproved, it asks the user.
func (p *preparation) receiveFiles(c actor.Context, message material.Prepared) step {
	if p.phase != preparing || p.filesRead || message.Reading != p.reading {
		return step{} // the result is late, or belongs to an earlier attempt
	}
	p.filesRead = true
	p.stopWaiting()
	for _, notice := range message.Notices {
		if !slices.Contains(p.noticed, notice) { // a repeated read can return the same notice
			p.noticed = append(p.noticed, notice)
			p.note(c, messages.Warning, notice)
		}
	}
	for _, dir := range message.Bound {
		if !slices.Contains(p.conversation.PrivateDirs, dir) {
			p.conversation.PrivateDirs = append(slices.Clip(p.conversation.PrivateDirs), dir)
		}
	}
	if message.Brought {
		p.tainted = cmp.Or(p.tainted, "the instruction files of the directory")
	}
	if !message.Late || !p.framed() {
		p.parts = message.Parts
	}
	p.skilled = message.Specs
	p.trust(c, message.Trust)
	switch {
	case p.turn != nil:
	case p.input.Compact:
		p.turn = transcript.Resume(p.input.History, p.input.Turn)
	default:
		p.turn = transcript.New(p.input.History, p.input.Turn, p.prompt())
	}
	p.erase(false)
	p.kept.storePrompt(c)
	if message.Unapproved != nil && !p.cancel {
		p.unapproved = message.Unapproved
		c.Request(p.input.Session, trustQuestion(p.unapproved, p.input.Turn, p.number))
		return step{}
	}
	p.missing &^= theFiles
	return step{to: begins}
}

// offerSkilled offers the tools that read skills. These tools come last, so that requests always
// list the tools in the same order.
func (p *preparation) offerSkilled() {
	for _, spec := range p.skilled {
		if len(p.parts.Skills) > 0 {
			p.offer(spec)
		}
	}
}

// inform adds a message that tells the model what has changed (such as the date, the directory or a
// file), and which notifications have arrived. The earlier bytes of the request stay the same, so
// the provider's cache stays valid.
func (p *preparation) inform(c actor.Context) {
	var told []string
	from := messages.FromMarvin
	p.recall(c)
	if !p.framed() {
		p.frame = prompt.Begin(p.parts)
	} else {
		var change string
		if p.frame, change = p.frame.Change(p.parts); change != "" {
			told = append(told, change)
		}
	}
	p.personal = p.parts.Personal()
	told, p.undone = append(told, p.undone...), nil
	if len(p.unsaid) > 0 {
		told, p.unsaid = append(told, fromHooks(p.unsaid)), nil
	}
	if len(p.news.list) > 0 {
		told = append(told, newsText(p.news.list))
		p.news.list, p.tainted = nil, cmp.Or(p.tainted, newsCame)
		from = messages.FromStranger
	}
	if len(told) > 0 {
		p.turn.AddNews(p.messageFrom(from, strings.Join(told, "\n\n")), p.number > 0)
	}
}
