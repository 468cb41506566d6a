package memory

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"marvin/messages"
	"marvin/persistence/memory"
	"marvin/tools"
)

type forgetArgs struct {
	Fact       string `json:"fact" doc:"The id of a fact, its text, or words that are all in it" alias:"id,query,text,words" example:"my dog"`
	Everywhere bool   `json:"everywhere" doc:"Take its words out of kept conversations, logs and artifacts too, if that is wanted" default:"false"`
}

func (s Service) forgetTool() tools.Tool {
	return tools.New(tools.Def[forgetArgs]{
		Name:   "forget",
		Effect: tools.Writes,
		Brings: tools.ItsOwn,
		State:  state,
		Doc:    "Forget facts for good, when the user asks for it: no file of the memory and no later request has them any more.",
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
	if err := off(env); err != nil {
		return tools.Output{}, err
	}
	all, err := s.store.All()
	found := memory.Matching(s.store.Named(all), in.Fact)
	if len(found) == 0 {
		return tools.Output{}, tools.Advise(errors.Join(errors.New("no fact has all of these words"), err), "recall lists the facts with their ids.")
	}
	if !agreed(env, found, in.Everywhere) {
		if !env.Person || env.Ask == nil {
			return tools.Output{}, tools.Advise(errors.New("nothing was forgotten: the prompt of this turn did not ask for it, and there is no user to ask"), "Tell them that marvin memory forget does it.")
		}
		if yes, err := s.sure(ctx, env, found, in.Everywhere); err != nil || !yes {
			return tools.Output{Text: "The user does not want that forgotten. Nothing was changed."}, err
		}
	}
	gone, err := s.store.Forget(found)
	if err != nil {
		return tools.Output{}, fmt.Errorf("forget it: %w", err)
	}
	said := "Forgotten: " + messages.Counted(len(gone.Facts), "fact") + ". No file of the memory has the words any more, and they are taken out of this conversation."
	if len(gone.Left) > 0 {
		said = "Removed, but these files still have the words: " + strings.Join(gone.Left, ", ")
	}
	if in.Everywhere {
		swept, err := s.store.Sweep(gone.Erasing, false)
		if err != nil {
			return tools.Output{}, fmt.Errorf("the facts are forgotten, but not everywhere: %w", err)
		}
		said += fmt.Sprintf(" Taken out of kept conversations, logs and artifacts: %s in %s.", messages.Counted(swept.Places, "place"), messages.Counted(len(swept.Files), "file"))
		if len(swept.Left) > 0 {
			said += " Files of the user's own still have them: " + strings.Join(swept.Left, ", ")
		}
	}
	return tools.Output{Text: said}, nil
}

// agreed says whether the user asked for it in the prompt of this turn.
func agreed(env tools.Env, facts []memory.Fact, everywhere bool) bool {
	typed := strings.ToLower(env.Typed)
	return memory.OwnForgetting(env.Typed, facts) &&
		(!everywhere || strings.Contains(typed, "everywhere") || strings.Contains(typed, "überall") || strings.Contains(typed, "partout"))
}

// sure asks the user.
func (s Service) sure(ctx context.Context, env tools.Env, facts []memory.Fact, everywhere bool) (bool, error) {
	var list strings.Builder
	for _, fact := range facts {
		list.WriteString("- " + tools.Visible(fact.Text) + "\n")
	}
	if everywhere {
		list.WriteString("\nThe words are taken out of kept conversations, logs and artifacts too.\n")
	}
	reply, err := env.Ask(ctx, tools.Inquiry{
		Kind: messages.AskChoice, Title: "Forget this for good?", Detail: list.String(),
		Questions: []messages.Question{{Text: "Forget this for good?\n" + list.String(), Options: []messages.Option{{Label: "yes"}, {Label: "no"}}, Default: []string{"no"}}},
	})
	return err == nil && reply.Unanswered == "" && reply.Choice == messages.Yes && len(reply.Chosen) == 1 && len(reply.Chosen[0].Options) == 1 && reply.Chosen[0].Options[0] == "yes", err
}
