package memory

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"marvin/messages"
	"marvin/persistence/memory"
	"marvin/tools"
)

// mostRecalled is how many facts one look lists.
const mostRecalled = 30

type recallArgs struct {
	Query string `json:"query" doc:"Words of the fact; all if not given" default:"" alias:"q,text,words,fact" example:"dog"`
}

func (s Service) recallTool() tools.Tool {
	return tools.New(tools.Def[recallArgs]{
		Name: "recall", Brings: tools.Private, State: state,
		Doc: "Look up remembered facts, before you say that you do not know something about the user.",
		Examples: []string{
			"what do you remember about {my dog|query}", "what do you know about {my dog|query} from memory", "recall {my dog|query}", "what do you remember",
		},
		Run: s.recall,
	})
}

func (s Service) recall(_ context.Context, env tools.Env, in recallArgs) (tools.Output, error) {
	if err := off(env); err != nil {
		return tools.Output{}, err
	}
	facts, err := s.store.Facts(memory.Where{Profile: filepath.Base(env.Profile), Dir: env.Dir})
	found := s.store.Named(memory.Search(facts, in.Query, mostRecalled))
	if len(found) == 0 {
		said := "Nothing is remembered."
		if len(facts) > 0 {
			said = fmt.Sprintf("No fact has %q; %s.", in.Query, messages.Counted(len(facts), "fact"))
		}
		return tools.Output{Text: said, Empty: err == nil}, err
	}
	lines := make([]string, len(found))
	for i, fact := range found {
		papers := strings.TrimSuffix(strings.TrimPrefix(strings.Join([]string{fact.About(), fact.Date, fact.Source}, ", "), ", "), ", ")
		lines[i] = fmt.Sprintf("%s  %s  (%s)", fact.ID, fact.Text, strings.ReplaceAll(papers, ", , ", ", "))
	}
	if err != nil {
		lines = append(lines, "Note: "+err.Error())
	}
	return tools.Output{Text: strings.Join(lines, "\n")}, nil
}

type searchArgs struct {
	Query string `json:"query" doc:"Words that stand together in one prompt or answer" alias:"q,text,words" example:"exponential backoff"`
	Max   int    `json:"max_results" doc:"How many to list" default:"10" min:"1" max:"50" alias:"limit"`
}

func (s Service) searchTool() tools.Tool {
	return tools.New(tools.Def[searchArgs]{
		Name: "search_conversations", Brings: tools.Private,
		Doc: "Find what the user and you said in earlier conversations that are kept, newest first. It reads only.",
		Examples: []string{
			"search my conversations for {exponential backoff|query}", "in which conversation did we talk about {exponential backoff|query}", "search our conversations for {exponential backoff|query}",
		},
		Timeout: time.Minute,
		Run:     search,
	})
}

func search(ctx context.Context, env tools.Env, in searchArgs) (tools.Output, error) {
	if env.Earlier == nil {
		return tools.Output{}, tools.Advise(errors.New("there is no conversation here from which others could be looked up"), "Type: marvin sessions search %s", in.Query)
	}
	if strings.TrimSpace(in.Query) == "" {
		return tools.Output{}, tools.Advise(errors.New("the query is empty"), "Say words that were said.")
	}
	found, err := env.Earlier(ctx, in.Query, in.Max)
	if err != nil {
		return tools.Output{}, err
	}
	if len(found) == 0 {
		return tools.Output{Text: fmt.Sprintf("In no kept conversation all of %q was said in one message.", in.Query), Empty: true}, nil
	}
	lines := make([]string, len(found))
	for i, one := range found {
		lines[i] = fmt.Sprintf("[%s] %s, in %s %q: %s", one.At.In(env.Now().Location()).Format("2006-01-02 15:04"), one.Who, one.Conversation, one.Title, one.Line)
	}
	return tools.Output{Text: strings.Join(lines, "\n")}, nil
}
