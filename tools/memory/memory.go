package memory

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"marvin/messages"
	"marvin/persistence"
	"marvin/persistence/memory"
	"marvin/tools"
)

// Service stores the facts.
type Service struct{ store *memory.Store }

// New returns a service that stores its facts in home.
func New(home *persistence.Home) Service { return Service{store: memory.Open(home)} }

// Tools returns the tools of this category.
func (s Service) Tools() []tools.Tool {
	return []tools.Tool{s.rememberTool(), s.recallTool(), s.forgetTool(), s.searchTool()}
}

// state identifies the stored facts. See the field State of [tools.Def].
const state = "the memory"

type rememberArgs struct {
	Fact    string `json:"fact" doc:"One short sentence" alias:"text,memory,content,statement" example:"My dog is called Rex"`
	Project bool   `json:"project" doc:"The fact is about the project" default:"false"`
}

func (s Service) rememberTool() tools.Tool {
	return tools.New(tools.Def[rememberArgs]{
		Name:   "remember",
		Effect: tools.Writes,
		Brings: tools.OwnOrigin,
		State:  state,
		Doc:    "Remember a fact if the user asks you to, or corrects you. No secrets.",
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

func errorIfOff(env tools.Env) error {
	if env.Memory != "off" {
		return nil
	}
	return tools.Advise(errors.New("the memory is off"), "The user can turn it on with: marvin config set memory ask")
}

func (s Service) remember(ctx context.Context, env tools.Env, in rememberArgs) (tools.Output, error) {
	if err := errorIfOff(env); err != nil {
		return tools.Output{}, err
	}
	text, err := s.check(env, in.Fact)
	if err != nil {
		return tools.Output{}, err
	}
	where := memory.Location{Profile: env.ProfileName(), Dir: env.Dir}
	fact := memory.Fact{Text: text, Scope: scopeOf(in.Project, where), Source: env.Message}
	if env.Private { // some providers must not see private text, so the fact stays in this repository
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
		return tools.Output{Text: "Not remembered yet: the user did not type this fact, so it waits for the user's answer (marvin memory list). Continue without it."}, nil
	}
	return s.ask(ctx, env, proposal)
}

// check returns the text to store. It rejects secrets and other text that cannot be stored.
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

// scopeOf returns the scope of a fact. Each profile except "default" has its own facts about the
// user, because several people can share a machine.
func scopeOf(project bool, where memory.Location) memory.Scope {
	switch {
	case project:
		return memory.Repository
	case where.Profile != "default":
		return memory.Profile
	}
	return memory.User
}

// reason returns why the user must approve a fact, or "" if no approval is needed.
func reason(env tools.Env, text string) string {
	switch {
	case memory.OwnFact(env.Typed, text):
		return ""
	case env.Tainted != "":
		return "the model proposes it, after " + env.Tainted + " brought in untrusted text"
	case env.Memory == "auto":
		return ""
	}
	return "the model proposes it"
}

func (s Service) take(fact memory.Fact, where memory.Location) (tools.Output, error) {
	added, err := s.store.Add(fact, where)
	if err != nil {
		return tools.Output{}, fmt.Errorf("remember it: %w", err)
	}
	return outputOf(added), nil
}

func outputOf(added memory.AddResult) tools.Output {
	said := "Remembered"
	if added.Known {
		said = "Already remembered"
	}
	said += fmt.Sprintf(" (%s): %s", added.Fact.ScopeName(), added.Fact.Text)
	for _, old := range added.Replaced {
		said += "\nIt replaces: " + old.Text
	}
	return tools.Output{Text: said}
}

// propose adds a fact to the proposals, which wait for the user's consent.
func (s Service) propose(fact memory.Fact, where memory.Location, why string) (memory.Proposal, error) {
	one := memory.Proposal{Text: fact.Text, Scope: fact.Scope, Source: fact.Source, Why: tools.Visible(why)}
	switch fact.Scope {
	case memory.Profile:
		one.Of = where.Profile
	case memory.Repository:
		if one.Of = where.Dir; one.Of == "" {
			return one, tools.Advise(errors.New("no working directory is set, so the fact cannot belong to a repository"), "If it is about the user, set \"project\" to false.")
		}
	}
	return s.store.Proposals().Add(one)
}

// replacedBy returns the stored facts that a proposal would replace.
func (s Service) replacedBy(one memory.Proposal) []memory.Fact {
	facts, _ := s.store.Facts(memory.Location{Profile: one.Of, Dir: one.Of}) // the result omits facts in unreadable files
	return slices.DeleteFunc(facts, func(old memory.Fact) bool {
		return old.Scope != one.Scope || !memory.SameSubject(old.Text, one.Text)
	})
}

// ask obtains the user's decision on the exact text of a proposal, and then carries it out.
func (s Service) ask(ctx context.Context, env tools.Env, one memory.Proposal) (tools.Output, error) {
	detail := fmt.Sprintf("%s\n\nThe fact would be about the %s. Marvin asks because %s.", tools.Visible(one.Text), one.Scope, one.Why)
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
		return tools.Output{Text: "The user did not answer, but can still approve the fact with /memory. Continue without it."}, nil
	case saysYes(reply):
		added, err := s.store.Proposals().Accept(one.ID)
		if err != nil {
			return tools.Output{}, err
		}
		return outputOf(added), nil
	}
	said := "The user does not want Marvin to remember that. Do not propose it again."
	if len(reply.Chosen) == 1 && reply.Chosen[0].Text != "" {
		said += " They say: " + reply.Chosen[0].Text
	}
	return tools.Output{Text: strings.TrimSpace(said)}, s.store.Proposals().Refuse(one.ID)
}

type forgetArgs struct {
	Fact       string `json:"fact" doc:"Fact to forget: its id, its text or some of its words" alias:"id,query,text,words" example:"my dog"`
	Everywhere bool   `json:"everywhere" doc:"Also remove the fact from saved conversations, logs and artifacts; only on request" default:"false"`
}

func (s Service) forgetTool() tools.Tool {
	return tools.New(tools.Def[forgetArgs]{
		Name:   "forget",
		Effect: tools.Writes,
		Brings: tools.OwnOrigin,
		State:  state,
		Doc:    "Forget facts permanently if the user asks you to: the tool deletes them from all memory files, and later requests do not contain them.",
		Examples: []string{
			"forget that {my dog is called Rex|fact}", "forget what you know about {my dog|fact}", "forget the fact {m-3f9a2c|fact}",
			"forget {my dog|fact} everywhere{=true|everywhere}",
		},
		Needs:   tools.Needs{TopOnly: true},
		Pool:    tools.Agent,
		Timeout: tools.DefaultWait,
		Run:     s.forget,
	})
}

func (s Service) forget(ctx context.Context, env tools.Env, in forgetArgs) (tools.Output, error) {
	if err := errorIfOff(env); err != nil {
		return tools.Output{}, err
	}
	all, err := s.store.All()
	found := memory.FindFacts(s.store.SetIDs(all), in.Fact)
	if len(found) == 0 {
		return tools.Output{}, tools.Advise(errors.Join(errors.New("no fact has all of these words"), err), "The recall tool lists the facts with their ids.")
	}
	if !forgettingRequested(env, found, in.Everywhere) {
		if !env.Person || env.Ask == nil {
			return tools.Output{}, tools.Advise(errors.New("nothing was forgotten: the prompt of this turn did not ask for it, and there is no user to ask"), "Tell the user to run \"marvin memory forget\".")
		}
		if yes, err := s.sure(ctx, env, found, in.Everywhere); err != nil || !yes {
			return tools.Output{Text: "The user does not want Marvin to forget that. Nothing was changed."}, err
		}
	}
	gone, err := s.store.Forget(found)
	if err != nil {
		return tools.Output{}, fmt.Errorf("forget it: %w", err)
	}
	said := "Forgotten: " + messages.Counted(len(gone.Facts), "fact") + ". No memory file contains these words anymore, and Marvin removed them from this conversation."
	if len(gone.Left) > 0 {
		said = "Removed, but these files still contain the words: " + strings.Join(gone.Left, ", ")
	}
	if in.Everywhere {
		swept, err := s.store.Sweep(gone.Erasing, false)
		if err != nil {
			return tools.Output{}, fmt.Errorf("the facts are forgotten, but copies may remain: %w", err)
		}
		said += fmt.Sprintf(" Removed from stored conversations, logs and artifacts: %s in %s.", messages.Counted(swept.Places, "place"), messages.Counted(len(swept.Files), "file"))
		if len(swept.Left) > 0 {
			said += " The user's own files still contain the words: " + strings.Join(swept.Left, ", ")
		}
	}
	return tools.Output{Text: said}, nil
}

// forgettingRequested reports whether the user's prompt in this turn asks Marvin to forget these
// facts. If everywhere is true, the prompt must also contain "everywhere", "überall" or "partout".
func forgettingRequested(env tools.Env, facts []memory.Fact, everywhere bool) bool {
	typed := strings.ToLower(env.Typed)
	return memory.OwnForgetting(env.Typed, facts) &&
		(!everywhere || strings.Contains(typed, "everywhere") || strings.Contains(typed, "überall") || strings.Contains(typed, "partout"))
}

func (s Service) sure(ctx context.Context, env tools.Env, facts []memory.Fact, everywhere bool) (bool, error) {
	var list strings.Builder
	for _, fact := range facts {
		list.WriteString("- " + tools.Visible(fact.Text) + "\n")
	}
	if everywhere {
		list.WriteString("\nMarvin also removes the words from stored conversations, logs and artifacts.\n")
	}
	reply, err := env.Ask(ctx, tools.Inquiry{
		Kind: messages.AskChoice, Title: "Forget this for good?", Detail: list.String(),
		Questions: []messages.Question{{Text: "Forget this for good?\n" + list.String(), Options: []messages.Option{{Label: "yes"}, {Label: "no"}}, Default: []string{"no"}}},
	})
	return err == nil && saysYes(reply), err
}

func saysYes(reply tools.Reply) bool {
	return reply.Unanswered == "" && reply.Choice == messages.Yes && len(reply.Chosen) == 1 && slices.Equal(reply.Chosen[0].Options, []string{"yes"})
}

// mostRecalled is the maximum number of facts in one result.
const mostRecalled = 30

type recallArgs struct {
	Query string `json:"query" doc:"Words in the fact; default: all facts" default:"" alias:"q,text,words,fact" example:"dog"`
}

func (s Service) recallTool() tools.Tool {
	return tools.New(tools.Def[recallArgs]{
		Name: "recall", Brings: tools.Private, State: state,
		Doc: "Look up remembered facts. Use it before you say that you do not know something about the user.",
		Examples: []string{
			"what do you remember about {my dog|query}", "what do you know about {my dog|query} from memory", "recall {my dog|query}", "what do you remember",
		},
		Run: s.recall,
	})
}

func (s Service) recall(_ context.Context, env tools.Env, in recallArgs) (tools.Output, error) {
	if err := errorIfOff(env); err != nil {
		return tools.Output{}, err
	}
	facts, err := s.store.Facts(memory.Location{Profile: env.ProfileName(), Dir: env.Dir})
	found := s.store.SetIDs(memory.Search(facts, in.Query, mostRecalled))
	if len(found) == 0 && err != nil {
		return tools.Output{}, err
	}
	if len(found) == 0 {
		said := "Nothing is remembered."
		if len(facts) > 0 {
			said = fmt.Sprintf("No fact contains %q; %s.", in.Query, messages.Counted(len(facts), "fact"))
		}
		return tools.Output{Text: said, Empty: true}, nil
	}
	lines := make([]string, len(found))
	for i, fact := range found {
		papers := strings.TrimSuffix(strings.TrimPrefix(strings.Join([]string{fact.ScopeName(), fact.Date, fact.Source}, ", "), ", "), ", ")
		lines[i] = fmt.Sprintf("%s  %s  (%s)", fact.ID, fact.Text, strings.ReplaceAll(papers, ", , ", ", "))
	}
	if err != nil {
		lines = append(lines, "Note: "+err.Error())
	}
	return tools.Output{Text: strings.Join(lines, "\n")}, nil
}

type searchArgs struct {
	Query string `json:"query" doc:"Search words; all must occur in one prompt or answer" alias:"q,text,words" example:"exponential backoff"`
	Max   int    `json:"max_results" doc:"Maximum results" default:"10" min:"1" max:"50" alias:"limit"`
}

func (s Service) searchTool() tools.Tool {
	return tools.New(tools.Def[searchArgs]{
		Name: "search_conversations", Brings: tools.Private,
		Doc: "Search the messages of earlier conversations, newest first.",
		Examples: []string{
			"search my conversations for {exponential backoff|query}", "in which conversation did we talk about {exponential backoff|query}", "search our conversations for {exponential backoff|query}",
		},
		Timeout: time.Minute,
		Run:     search,
	})
}

func search(ctx context.Context, env tools.Env, in searchArgs) (tools.Output, error) {
	if env.Earlier == nil {
		return tools.Output{}, tools.Advise(errors.New("there is no conversation here, and only a conversation can search other conversations"), "To search them, run: marvin sessions search %s", in.Query)
	}
	if strings.TrimSpace(in.Query) == "" {
		return tools.Output{}, tools.Advise(errors.New("the query is empty"), "Give words from a prompt or answer.")
	}
	found, err := env.Earlier(ctx, in.Query, in.Max)
	if err != nil {
		return tools.Output{}, err
	}
	if len(found) == 0 {
		return tools.Output{Text: fmt.Sprintf("No stored conversation has a message with all the words %q.", in.Query), Empty: true}, nil
	}
	lines := make([]string, len(found))
	for i, one := range found {
		lines[i] = fmt.Sprintf("[%s] %s, in %s %q: %s", one.At.In(env.Now().Location()).Format("2006-01-02 15:04"), one.Who, one.Conversation, one.Title, one.Line)
	}
	return tools.Output{Text: strings.Join(lines, "\n")}, nil
}
