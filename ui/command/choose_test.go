package command_test

import (
	"strings"
	"testing"

	"marvin/actors/actorstest"
	"marvin/messages"
	"marvin/persistence/projects"
	"marvin/providers/modeltest"
	"marvin/ui/command"
)

// kept returns the choice for the next start in the project.
func (d *fixture) kept() projects.Choice {
	d.t.Helper()
	host := d.engine.Host.(disk)
	choice, err := projects.Choices{Home: host.home}.Get(host.dir)
	if err != nil {
		d.t.Fatal(err)
	}
	choice.Seen = ""
	return choice
}

func TestAModelIsChosenFromAList(t *testing.T) {
	d := sit(t, modeltest.Start(t))
	d.picks = []command.Pick{}
	d.engine.Take("/model")
	d.wait(func() bool { return len(d.picks) == 1 })
	pick := d.picks[0]
	if items := pick.List.Items; len(items) != 2 || items[0].Text != "openai-compat test-model" || !items[0].Now {
		t.Fatalf("%+v", items)
	}
	items := pick.Later()()
	if len(items) != 4 || items[2].Text != "copilot other-model" {
		t.Fatalf("%+v", items)
	}
	pick.Chosen(1)
	d.wait(func() bool { return d.kept() == projects.Choice{Provider: "openai-compat", Model: "qwen3-32b"} })
	d.wait(func() bool {
		return strings.Contains(strings.Join(d.said, "\n"), "Marvin starts with this model in ~/project")
	})
	d.engine.Take("/model default")
	d.wait(func() bool { return d.talk.Model == "test-model" && d.kept() == projects.Choice{} })
}

func TestAKeyGoesThroughModelsAndEfforts(t *testing.T) {
	d := sit(t, modeltest.Start(t))
	command.NextModel(d.engine)
	command.NextModel(d.engine)
	command.NextModel(d.engine)
	d.wait(func() bool { return len(actorstest.Pick[messages.ModelChanged](d.tree.Seen)) == 3 })
	if d.talk.Model != "next" {
		t.Errorf("%s answers", d.talk.Model)
	}
	for _, want := range []string{"low", "medium", "high", ""} { // next accepts unknown efforts
		command.NextEffort(d.engine)
		d.wait(func() bool { return d.talk.Effort == want && len(d.engine.Working()) == 0 })
	}
	command.NextModel(d.engine)
	d.wait(func() bool { return d.talk.Model == "test-model" })
	command.NextEffort(d.engine)
	command.NextEffort(d.engine)
	d.wait(func() bool { return d.talk.Effort == "high" })
	d.wait(func() bool {
		return d.kept() == projects.Choice{Provider: "openai-compat", Model: "test-model", Effort: "high"}
	})
}

func TestForeignModelChangeIsNotSaved(t *testing.T) {
	d := sit(t, modeltest.Start(t))
	d.tree.Client.Send(messages.SetModel{Provider: "openai-compat", Model: "elsewhere"})
	d.wait(func() bool { return d.talk.Model == "elsewhere" && len(d.engine.Working()) == 0 })
	if kept := d.kept(); kept != (projects.Choice{}) {
		t.Errorf("%+v", kept)
	}
}
