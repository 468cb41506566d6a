package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"marvin/actors"
	"marvin/messages"
	"marvin/persistence/settings"
	"marvin/providers"
)

// What a model is known to lack for a conversation is said, and what is not known is not.
func TestWhatAModelLacksForAConversation(t *testing.T) {
	yes, no := true, false
	rules := []actors.PrivateRule{{Dir: "/h/a", Said: "~/a", To: []string{"near"}}, {Dir: "/b", Said: "/b"}, {Dir: "/c", Said: "/c"}}
	for _, row := range []struct {
		model offered
		needs messages.NeedsShown
		want  string
	}{
		{offered{Provider: "x"}, messages.NeedsShown{Tokens: 1e9, Pictures: 9}, ""},
		{offered{Provider: "x", Window: 5096}, messages.NeedsShown{Tokens: 1000}, ""},
		{offered{Provider: "x", Window: 5095}, messages.NeedsShown{Tokens: 1000}, "its window of 5k is too small for the 1k tokens said"},
		{offered{Provider: "x", Sees: &no, Tools: &no}, messages.NeedsShown{}, "takes no tools"},
		{offered{Provider: "x", Sees: &no}, messages.NeedsShown{Pictures: 1}, "does not see the picture of this conversation"},
		{offered{Provider: "x", Sees: &no}, messages.NeedsShown{Pictures: 2}, "does not see the 2 pictures of this conversation"},
		{offered{Provider: "x", Sees: &yes, Tools: &yes}, messages.NeedsShown{Pictures: 2}, ""},
		{offered{Provider: "near"}, messages.NeedsShown{Bound: []string{"/h/a"}}, ""},
		{offered{Provider: "x"}, messages.NeedsShown{Bound: []string{"/h/a"}}, "may not be told of ~/a (private:)"},
		{offered{Provider: "near"}, messages.NeedsShown{Bound: []string{"/b", "/h/a"}}, "may not be told of ~/a, /b (private:)"},
		{offered{Provider: providers.Offline, Wire: providers.BuiltIn}, messages.NeedsShown{Bound: []string{"/b"}}, "understands plain requests alone"},
		{
			offered{Provider: providers.Offline, Wire: providers.BuiltIn, Sees: &yes, Tools: &no, Window: 10},
			messages.NeedsShown{Pictures: 3, Tokens: 5},
			"understands plain requests alone; does not see the 3 pictures of this conversation; its window of 10 is too small for the 5 tokens said; takes no tools",
		},
	} {
		if got := row.model.unfit(row.needs, rules); got != row.want {
			t.Errorf("%+v for %+v: %q, want %q", row.model, row.needs, got, row.want)
		}
	}
}

// chooses is what a person chooses with, with two models of their own and no other server.
func chooses(t *testing.T, start providers.Selection, roles map[string][]string) chooser {
	t.Helper()
	own := []settings.Provider{
		{Name: "mine", URL: "https://mine.example/v1", Models: []settings.Model{{Name: "m1", Window: 100_000}, {Name: "m2", Window: 2000}}},
		{Name: "locked", URL: "https://locked.example/v1", Key: "$NOT_SET", Model: "l"},
	}
	all, err := newAccounts(worldOf(t.TempDir(), "", "OPENAI_API_KEY=sk-aaaaaaaaaaaaaaaaaaaaaaaaaaaa"), settings.Config{Providers: own, Roles: roles})
	if err != nil {
		t.Fatal(err)
	}
	return chooser{&parts{accounts: all, world: all.world, selection: start}}
}

// What is known without asking anybody is listed, with the model that the program began with,
// also where its provider does not list it, and with the roles that each answers for.
func TestWhatCanBeChosenWithoutAsking(t *testing.T) {
	roles := map[string][]string{"plan": {"locked/x", "mine/m2", "mine/m1"}, "small": {"mine/m2"}, "see": {"nobody/x"}, "vision": {"openai/odd"}}
	list := func(start providers.Selection) (told []string) {
		for _, one := range chooses(t, start, roles).KnownModels(messages.NeedsShown{Tokens: 500}) {
			if one.Provider != "mine" && one.Provider != "openai" && one.Provider != start.Provider {
				continue
			}
			slices.Sort(one.Roles)
			told = append(told, fmt.Sprintf("%s/%s %v %s", one.Provider, one.Model, one.Roles, one.Unfit))
		}
		return told
	}
	small := "its window of 2k is too small for the 500 tokens said"
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

// Each provider says with which model it answers, or what it lacks and what to do.
func TestWhatProvidersLack(t *testing.T) {
	h := chooses(t, providers.Selection{Provider: "mine", Model: "m2"}, nil)
	for name, want := range map[string]string{
		"mine": "m2 ", "openai": "MODEL ", providers.Offline: "built-in ",
		"groq":    " no key: /login groq, marvin login groq in a shell, or GROQ_API_KEY (keys: https://console.groq.com/keys)",
		"chatgpt": " you are not logged in: /login chatgpt, or marvin login chatgpt in a shell",
	} {
		provider, err := h.parts.accounts.pool.Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		got := h.choice(context.Background(), provider)
		want = strings.ReplaceAll(want, "MODEL", provider.Model)
		if got.Provider != name || got.Model+" "+got.Lacks != want {
			t.Errorf("%s: %q %q, want %q", name, got.Model, got.Lacks, want)
		}
	}
	locked, err := h.parts.accounts.pool.Lookup("locked")
	if err != nil {
		t.Fatal(err)
	}
	if got := h.choice(context.Background(), locked); got.Model != "" || !strings.Contains(got.Lacks, "NOT_SET") {
		t.Errorf("%+v", got)
	}
	for provider, model := range map[string]string{"mine": "m2", "openai": ""} {
		if got := h.named(provider); got != (actors.Choice{Provider: provider, Model: model}) {
			t.Errorf("the choice of %s is %+v", provider, got)
		}
	}
}

// What several listings say of one model is one row, with what was said of it.
func TestEachModelIsOneRow(t *testing.T) {
	yes := true
	got := whole(providers.Provider{Name: "p"}, "b", []offered{{Model: "a"}, {Model: "b", Window: 5}, {Model: "a", Window: 7}, {Model: "b", Window: 9}, {Model: "c", Sees: &yes}, {Model: "c", Window: 3}})
	var told []string
	for _, one := range got {
		told = append(told, fmt.Sprint(one.Provider, " ", one.Wire == providers.Chat, " ", one.Model, " ", one.Usual, " ", one.Window, " ", one.Sees != nil))
	}
	if want := []string{"p true a false 7 false", "p true b true 5 false", "p true c false 0 true"}; !slices.Equal(told, want) {
		t.Errorf("%q, want %q", told, want)
	}
	if row := whole(providers.Provider{Wire: providers.Messages}, "", []offered{{Model: "a"}})[0]; row.Wire != providers.Messages || row.Usual {
		t.Errorf("%+v", row)
	}
}
