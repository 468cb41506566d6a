package memory

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"marvin/messages"
	"marvin/persistence"
	"marvin/persistence/memory"
	"marvin/tools"
)

// Service gives the tools the facts.
type Service struct{ store *memory.Store }

// New makes the service over the user's files.
func New(home *persistence.Home) Service { return Service{store: memory.Open(home)} }

// Tools lists the tools of this category.
func (s Service) Tools() []tools.Tool {
	return []tools.Tool{s.rememberTool(), s.recallTool(), s.forgetTool(), s.searchTool()}
}

// state is the place of calls that change facts: they come in the order of their reply.
const state = "the memory"

type rememberArgs struct {
	Fact    string `json:"fact" doc:"One short sentence" alias:"text,memory,content,statement" example:"My dog is called Rex"`
	Project bool   `json:"project" doc:"About the project" default:"false"`
}

func (s Service) rememberTool() tools.Tool {
	return tools.New(tools.Def[rememberArgs]{
		Name:   "remember",
		Effect: tools.Writes,
		Brings: tools.ItsOwn,
		State:  state,
		Doc:    "Remember a fact when the user asks or corrects you. Never secrets.",
		Examples: []string{
			"remember that {my dog is called Rex|fact}", "please remember that {my dog is called Rex|fact}", "keep in mind that {my dog is called Rex|fact}",
		},
		Chat:    true,
		Needs:   tools.Needs{TopOnly: true},
		Pool:    tools.Agent,
		Timeout: tools.DefaultWait,
		Run:     s.remember,
	})
}

// off says that nothing is remembered.
func off(env tools.Env) error {
	if env.Memory != "off" {
		return nil
	}
	return tools.Advise(errors.New("the memory is off"), "The user switches it on with: marvin config set memory ask")
}

func (s Service) remember(ctx context.Context, env tools.Env, in rememberArgs) (tools.Output, error) {
	if err := off(env); err != nil {
		return tools.Output{}, err
	}
	text, err := s.check(env, in.Fact)
	if err != nil {
		return tools.Output{}, err
	}
	where := memory.Where{Profile: filepath.Base(env.Profile), Dir: env.Dir}
	fact := memory.Fact{Text: text, Scope: scopeOf(in.Project, where), Source: env.Message}
	if env.Private { // the facts of another scope go to other providers too
		fact.Scope = memory.Repository
	}
	why := reason(env, text)
	if why == "" {
		return s.take(fact, where)
	}
	proposal, err := s.propose(fact, where, why)
	if err != nil {
		return tools.Output{}, err
	}
	if !env.Person || env.Ask == nil {
		return tools.Output{Text: "Not remembered yet: the user did not type this themselves, so it waits for their answer (marvin memory list). Go on without it."}, nil
	}
	return s.ask(ctx, env, proposal)
}

// check says why a text cannot be a fact.
func (s Service) check(env tools.Env, text string) (string, error) {
	text, err := s.store.Check(tools.Unhidden(text))
	if err == nil && tools.SecretsOf(env.Environ, env.Home).Hide(text) != text {
		err = &memory.SecretError{Why: "one of the user's keys"}
	}
	if errors.As(err, new(*memory.SecretError)) {
		return "", tools.Advise(err, "Do not store it elsewhere either, and tell the user why.")
	}
	return text, err
}

// scopeOf is whom a fact is about. Several people may share a machine by profiles.
func scopeOf(project bool, where memory.Where) memory.Scope {
	switch {
	case project:
		return memory.Repository
	case where.Profile != "default":
		return memory.Profile
	}
	return memory.User
}

// reason says why a fact waits for a yes, "" if it does not.
func reason(env tools.Env, text string) string {
	switch {
	case memory.OwnFact(env.Typed, text):
		return ""
	case env.Tainted != "":
		return "the model proposes it, after " + env.Tainted + " brought in words of others"
	case env.Memory == "auto":
		return ""
	}
	return "the model proposes it"
}

// take remembers a fact.
func (s Service) take(fact memory.Fact, where memory.Where) (tools.Output, error) {
	added, err := s.store.Add(fact, where)
	if err != nil {
		return tools.Output{}, fmt.Errorf("remember it: %w", err)
	}
	return outputOf(added), nil
}

// outputOf is what came of a new fact.
func outputOf(added memory.Added) tools.Output {
	said := "Remembered"
	if added.Known {
		said = "That is remembered already"
	}
	said += fmt.Sprintf(" (%s): %s", added.Fact.About(), added.Fact.Text)
	for _, old := range added.Replaced {
		said += "\nIt replaces: " + old.Text
	}
	return tools.Output{Text: said}
}

// propose writes down that a fact waits.
func (s Service) propose(fact memory.Fact, where memory.Where, why string) (memory.Proposal, error) {
	one := memory.Proposal{Text: fact.Text, Scope: fact.Scope, Source: fact.Source, Why: tools.Visible(why)}
	switch fact.Scope {
	case memory.Profile:
		one.Of = where.Profile
	case memory.Repository:
		if one.Of = where.Dir; one.Of == "" {
			return one, tools.Advise(errors.New("no working directory is set, so there is no repository that the fact could be about"), "Set project to false if it is about the user.")
		}
	}
	return s.store.Proposals().Add(one)
}

// replacedBy are the facts that a proposal would replace.
func (s Service) replacedBy(one memory.Proposal) []memory.Fact {
	facts, _ := s.store.Facts(memory.Where{Profile: one.Of, Dir: one.Of}) // what cannot be read is not replaced
	return slices.DeleteFunc(facts, func(old memory.Fact) bool {
		return old.Scope != one.Scope || !memory.SameSubject(old.Text, one.Text)
	})
}

// ask puts the exact words to the user.
func (s Service) ask(ctx context.Context, env tools.Env, one memory.Proposal) (tools.Output, error) {
	detail := fmt.Sprintf("%s\n\nIt would be about the %s. Why you are asked: %s.", tools.Visible(one.Text), one.Scope, one.Why)
	for _, old := range s.replacedBy(one) {
		detail += "\nIt would replace: " + tools.Visible(old.Text)
	}
	reply, err := env.Ask(ctx, tools.Inquiry{
		Kind: messages.AskChoice, Title: "Remember this?", Detail: detail,
		Questions: []messages.Question{{Text: "Remember this: " + tools.Visible(one.Text), Options: []messages.Option{{Label: "yes"}, {Label: "no"}}, Default: []string{"no"}}},
	})
	if err != nil {
		return tools.Output{}, err
	}
	switch {
	case reply.Unanswered != "":
		return tools.Output{Text: "Nobody answered. The fact waits in /memory; go on without it."}, nil
	case reply.Choice == messages.Yes && len(reply.Chosen) == 1 && len(reply.Chosen[0].Options) == 1 && reply.Chosen[0].Options[0] == "yes":
		added, err := s.store.Proposals().Accept(one.ID)
		if err != nil {
			return tools.Output{}, err
		}
		return outputOf(added), nil
	}
	said := "The user does not want that remembered. Do not propose it again."
	if len(reply.Chosen) == 1 && reply.Chosen[0].Text != "" {
		said += " They say: " + reply.Chosen[0].Text
	}
	return tools.Output{Text: strings.TrimSpace(said)}, s.store.Proposals().Refuse(one.ID)
}
