package batch

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"time"

	"marvin/actors"
	"marvin/messages"
	"marvin/tools"
	"marvin/ui"
	"marvin/ui/headless"
)

// Host is the program that runs a batch.
type Host interface {
	// Open begins a new conversation.
	Open(Talk) (ui.Client, error)
	// Choose resolves a model. A missing key is an error.
	Choose(actors.Choice) (actors.Choice, error)
	// Role returns the first available model of a role, or an error if there is none.
	Role(name string) (actors.Choice, error)
	// Dir returns the absolute path of the working directory that a line names.
	Dir(path string) (string, error)
	// Picture reads the picture at path. A relative path is relative to dir, or to the default
	// directory if dir is empty.
	Picture(path, dir string) (messages.Picture, error)
}

// Talk holds the settings of a conversation that answers one prompt.
type Talk struct {
	Choice   actors.Choice
	Dir      string                                 // "" means the default directory
	Spending *actors.Spending                       // the shared budget
	Limits   actors.Limits                          // the process's own limits also apply
	Intends  func(tool string, effect tools.Effect) // see BeforeChange in [actors.Conversation]
	Held     Restrictions
	Pictures []messages.Picture       // shown with the prompt
	Doing    func(tools.TaskProgress) // receives progress; may be nil
}

// Restrictions contains limits on the tools that are available to a prompt. The policy of the
// answering process also applies.
type Restrictions struct {
	ReadOnly bool     `json:"read_only,omitempty"`
	Tools    []string `json:"tools,omitempty"` // the allowed tools; nil allows all
}

// Asker answers prompts in this process, each in a conversation of its own.
type Asker struct {
	Host   Host
	Choice actors.Choice // the model for prompts that name none
	Notes  io.Writer     // receives the conversations' notices for the user
	Now    func() time.Time
}

// settle resolves the model, directory and pictures for a prompt. An error, such as a missing key,
// does not affect other prompts.
func (a *Asker) settle(prompt Prompt) (talk Talk, err error) {
	if prompt.Dir != "" {
		if talk.Dir, err = a.Host.Dir(prompt.Dir); err != nil {
			return talk, fmt.Errorf("working_dir: %w", err)
		}
	}
	for _, path := range prompt.Images {
		picture, err := a.Host.Picture(path, talk.Dir)
		if err != nil {
			return talk, fmt.Errorf("images: %s: %w", path, err)
		}
		talk.Pictures = append(talk.Pictures, picture)
	}
	if prompt.Role != "" {
		talk.Choice, err = a.Host.Role(prompt.Role)
		return talk, err
	}
	provider, model := cmp.Or(prompt.Provider, a.Choice.Provider), prompt.Model
	if provider == a.Choice.Provider {
		model = cmp.Or(model, a.Choice.Model)
	}
	talk.Choice, err = a.Host.Choose(actors.Choice{Provider: provider, Model: model})
	return talk, err
}

// Answer runs a prompt in a new conversation. The prompt determines the model and, if talk.Dir is
// empty, the directory. Each increase in cost is passed to the callback.
func (a *Asker) Answer(ctx context.Context, prompt Prompt, talk Talk, spend func(cost float64)) Result {
	own, err := a.settle(prompt)
	if err != nil {
		return prompt.failed(err)
	}
	talk.Choice, talk.Dir = own.Choice, cmp.Or(talk.Dir, own.Dir)
	return a.answer(ctx, prompt, talk, spend)
}

func (a *Asker) answer(ctx context.Context, prompt Prompt, talk Talk, spend func(cost float64)) Result {
	begun := a.Now()
	outcome := a.ask(ctx, prompt, talk, spend)
	return Result{
		ID: prompt.ID, Line: prompt.Line, Outcome: outcome.Outcome, Text: outcome.Text, Error: outcome.Err, Begun: true, Asked: prompt.Asked,
		Usage: outcome.Usage, Cost: outcome.Usage.Cost, Took: a.Now().Sub(begun).Round(time.Millisecond).Seconds(),
	}
}

func (a *Asker) ask(ctx context.Context, prompt Prompt, talk Talk, spend func(cost float64)) headless.Result {
	client, err := a.Host.Open(talk)
	if err != nil {
		return headless.Result{Outcome: messages.Failed, Err: err.Error()}
	}
	runner := headless.Runner{
		Client: &spending{Client: client, spend: spend, doing: talk.Doing}, Form: headless.JSON, Stdout: io.Discard, Stderr: a.Notes, Grace: 5 * time.Second, Pictures: talk.Pictures,
	}
	result := runner.Run(ctx, messages.Say(prompt.Text))
	client.Send(messages.Quit{})
	return result
}

// spending is a [ui.Client] that reports costs and progress while the conversation runs.
type spending struct {
	ui.Client
	spend func(cost float64)
	cost  float64
	doing func(tools.TaskProgress)
	done  tools.TaskProgress
}

func (s *spending) Next(ctx context.Context) ([]messages.Envelope, error) {
	events, err := s.Client.Next(ctx)
	for _, envelope := range events {
		if now, ok := envelope.Event.(messages.UsageChanged); ok {
			s.spend(now.Usage.Cost - s.cost)
			s.cost = now.Usage.Cost
		}
		s.watch(envelope.Event)
	}
	return events, err
}

func (s *spending) watch(event messages.Event) {
	if s.doing == nil {
		return
	}
	switch event := event.(type) {
	case messages.ToolsCalled:
		s.done.Rounds++
	case messages.ToolStarted:
		s.done.Title = event.Title
	case messages.UsageChanged:
		s.done.Usage = event.Usage
	default: // other events are not shown
		return
	}
	s.doing(s.done)
}
