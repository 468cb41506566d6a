package fleet

import (
	"encoding/json"
	"strings"
	"testing"

	"marvin/cmd/marvin/internal/batch"
	"marvin/messages"
	"marvin/tools"
)

func TestResultsThatDoNotFitAreLeftAside(t *testing.T) {
	good := func() reply {
		return reply{Protocol: Protocol, Worker: "w1", Asked: "a", Result: batch.Result{ID: "7", Outcome: messages.Completed, Usage: messages.Usage{ModelCost: map[string]float64{"m": 0.1}}}}
	}
	subject := "marvin.results.b1." + key("7")
	encoded := func(r reply) []byte {
		data, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	if r, err := decodeReply(subject, encoded(good())); err != nil || r.Result.Worker != "w1" || r.Result.Asked != "a" {
		t.Fatalf("%+v, %v", r, err)
	}
	for want, spoil := range map[string]func(*reply){
		"it speaks version 2":         func(r *reply) { r.Protocol = 2 },
		"name different prompts":      func(r *reply) { r.Result.ID = "8" },
		`there is no outcome "great"`: func(r *reply) { r.Result.Outcome = "great" },
		"its cost or time is no":      func(r *reply) { r.Result.Cost = -1 },
		"cost or time":                func(r *reply) { r.Result.Took = 1e12 },
		"its cost is not a number":    func(r *reply) { r.Result.Usage.ModelCost["m"] = -0.5 },
	} {
		bad := good()
		spoil(&bad)
		if _, err := decodeReply(subject, encoded(bad)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q: %v", want, err)
		}
	}
	if _, err := decodeReply(subject, []byte("{")); err == nil {
		t.Error("half an answer counts")
	}
}

func TestAPromptIsNotBegunForEver(t *testing.T) {
	worker := func(names ...string) (t attempts) {
		for _, name := range names {
			t.Begun = append(t.Begun, begun{Worker: name})
		}
		return t
	}
	if why := worker("a", "b").whyNotRepeat(batch.Prompt{}); why != "" {
		t.Error(why)
	}
	var repeated batch.Prompt
	repeated.Repeat = true
	if why := worker("a", "b", "c").whyNotRepeat(repeated); !strings.Contains(why, "3 workers died or froze while answering this prompt (a, b, c)") {
		t.Error(why)
	}
	half := worker("a")
	half.Tools = []string{"run_command"}
	if why := half.whyNotRepeat(batch.Prompt{}); !strings.Contains(why, "half done: worker a died or froze after it had begun run_command") {
		t.Error(why)
	}
	if why := half.whyNotRepeat(repeated); why != "" {
		t.Error(why)
	}
}

func TestCheckoutContents(t *testing.T) {
	var checkout batch.Prompt
	checkout.Git = "https://example.com/a.git"
	for effect, goes := range map[tools.Effect]bool{tools.Reads: true, tools.Writes: true, tools.Irreversible: false, tools.Outside: false} {
		if outlivesWorker(checkout, effect) == goes || !outlivesWorker(batch.Prompt{}, effect) {
			t.Errorf("%s: in a checkout it stays: %v", effect, outlivesWorker(checkout, effect))
		}
	}
}

func TestPromptDemands(t *testing.T) {
	plain := demandOf(batch.Prompt{Dir: "below"}) // it means something everywhere
	if plain.name() != "any" || plain.words() != "any prompt" {
		t.Errorf("%+v is %s", plain, plain.name())
	}
	prompt := batch.Prompt{Provider: "ollama", Dir: "/srv/a"}
	prompt.Label, prompt.Git = "gpu", "https://example.com/a.git"
	wanted := demandOf(prompt)
	if wanted.name() == "any" || wanted.words() != "label gpu, provider ollama, directory /srv/a, checkouts of git" {
		t.Errorf("%s: %s", wanted.name(), wanted.words())
	}
	for name, fits := range map[string]bool{"eu-1_a": true, "": false, "a.b": false, "a b": false, "a>": false, strings.Repeat("x", 41): false} {
		if ValidName(name) != fits {
			t.Errorf("%q fits: %v", name, !fits)
		}
	}
}
