package actors_test

import (
	"context"
	"strings"
	"testing"

	"marvin/actors"
	"marvin/actors/actorstest"
	"marvin/messages"
	"marvin/providers/modeltest"
	"marvin/tools"
)

type commandArgs struct {
	Command string `json:"command" doc:"what runs"`
}

func TestARefusedCallKeepsWhatItWouldHaveDone(t *testing.T) {
	asks := tools.New(tools.Def[commandArgs]{
		Name: "asks", Doc: "asks",
		Confirm: func(tools.Env, commandArgs) (string, string) { return "Run?", "it" },
		Run: func(context.Context, tools.Env, commandArgs) (tools.Output, error) {
			return tools.Output{Text: "ran"}, nil
		},
	})
	for choice, title := range map[messages.Choice]bool{messages.No: true, messages.Yes: false} {
		server := modeltest.Start(t, modeltest.Calls(modeltest.Call{Name: "asks", Args: map[string]string{"command": "make everything"}}), modeltest.Text("so be it"))
		tree := actorstest.Start(t, actorstest.Setup{Server: server, Tools: []tools.Tool{asks}, Policy: &actors.Policy{Coding: true, Person: true}})
		tree.Client.Send(messages.Say("go"))
		asked := actorstest.ReadUntil[messages.Asked](tree)
		tree.Client.Send(messages.Answer{Ask: asked.Ask, Choice: choice})
		tree.Finish()
		ended := actorstest.Pick[messages.ToolEnded](tree.Seen)
		if len(ended) != 1 || strings.Contains(ended[0].Title, "make everything") != title {
			t.Errorf("%s: %+v", choice, ended)
		}
	}
}
