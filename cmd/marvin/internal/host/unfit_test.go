package host

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"marvin/actors"
	"marvin/cmd/marvin/internal/accounts"
	"marvin/cmd/marvin/internal/app"
	"marvin/cmd/marvin/internal/cli/clitest"
	"marvin/messages"
	"marvin/persistence/settings"
	"marvin/providers"
)

// chooses returns the chooser of a user with two configured models and no other server.
func chooses(t *testing.T, start providers.Selection, roles map[string][]string) chooser {
	t.Helper()
	own := []settings.Provider{
		{Name: "mine", URL: "https://mine.example/v1", Models: []settings.Model{{Name: "m1", Window: 100_000}, {Name: "m2", Window: 2000}}},
		{Name: "locked", URL: "https://locked.example/v1", Key: "$NOT_SET", Model: "l"},
	}
	all, err := accounts.New(clitest.NewWorld(t.TempDir(), "", "OPENAI_API_KEY=sk-aaaaaaaaaaaaaaaaaaaaaaaaaaaa"), settings.Config{Providers: own, Roles: roles})
	if err != nil {
		t.Fatal(err)
	}
	return chooser{&app.App{Accounts: all, World: all.World, Selection: start}}
}

// The list of models that are known without a request contains the model of the start, even if its
// provider does not list it, and the roles of each model.
func TestKnownModelsWithoutRequest(t *testing.T) {
	roles := map[string][]string{"plan": {"locked/x", "mine/m2", "mine/m1"}, "small": {"mine/m2"}, "see": {"nobody/x"}, "vision": {"openai/odd"}}
	list := func(start providers.Selection) (told []string) {
		for _, one := range chooses(t, start, roles).KnownModels(messages.NeedsShown{Tokens: 500}) {
			if one.Provider != "mine" && one.Provider != "openai" && one.Provider != start.Provider {
				continue
			}
			slices.Sort(one.Roles)
			told = append(told, fmt.Sprintf("%s/%s %v %s", one.Provider, one.Model, one.Roles, one.MissingAbilities))
		}
		return told
	}
	small := "its window of 2k is too small for the 500 tokens of this conversation"
	got := list(providers.Selection{Provider: "mine", Model: "else", Wire: providers.Chat})
	at := slices.IndexFunc(got, func(line string) bool { return strings.HasPrefix(line, "mine/") })
	if want := []string{"mine/else [] ", "mine/m1 [] ", "mine/m2 [plan small] " + small}; at < 0 || !slices.Equal(got[at:at+3], want) {
		t.Errorf("%q, want %q", got, want)
	}
	if !slices.Contains(got, "openai/odd [vision] ") {
		t.Errorf("a model that a role names is not listed: %q", got)
	}
	if got := list(providers.Selection{Provider: "gone", Model: "g", Wire: providers.Chat}); got[0] != "gone/g [] " {
		t.Errorf("the model of the start of a provider that is gone: %q", got)
	}
	got = list(providers.Selection{Provider: "mine", Model: "m2", Wire: providers.Chat})
	count := 0
	for _, line := range got {
		if strings.HasPrefix(line, "mine/m2 ") {
			count++
		}
	}
	if count != 1 {
		t.Errorf("the model of the start is listed %d times: %q", count, got)
	}
}

// Each provider is listed with the model that it would use, or with the reason why it cannot be
// used and the remedy.
func TestProviderReadiness(t *testing.T) {
	h := chooses(t, providers.Selection{Provider: "mine", Model: "m2"}, nil)
	for name, want := range map[string]string{
		"mine": "m2 ", "openai": "MODEL ", providers.Offline: "built-in ",
		"groq":    " no key; type /login groq, or set GROQ_API_KEY, or in a shell run marvin login groq (create a key at https://console.groq.com/keys)",
		"chatgpt": " you are not logged in; type /login chatgpt, or in a shell run marvin login chatgpt",
	} {
		provider, err := h.parts.Accounts.Pool.Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		got := h.choice(context.Background(), provider)
		want = strings.ReplaceAll(want, "MODEL", provider.Model)
		if got.Provider != name || got.Model+" "+got.Lacks != want {
			t.Errorf("%s: %q %q, want %q", name, got.Model, got.Lacks, want)
		}
	}
	locked, err := h.parts.Accounts.Pool.Lookup("locked")
	if err != nil {
		t.Fatal(err)
	}
	if got := h.choice(context.Background(), locked); got.Model != "" || !strings.Contains(got.Lacks, "NOT_SET") {
		t.Errorf("%+v", got)
	}
	for provider, model := range map[string]string{"mine": "m2", "openai": ""} {
		if got := h.choiceOf(provider); got != (actors.Choice{Provider: provider, Model: model}) {
			t.Errorf("the choice of %s is %+v", provider, got)
		}
	}
}
