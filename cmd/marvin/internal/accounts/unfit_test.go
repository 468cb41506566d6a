package accounts

import (
	"fmt"
	"slices"
	"testing"

	"marvin/actors"
	"marvin/messages"
	"marvin/providers"
)

func TestAModelLacksWhatTheConversationNeeds(t *testing.T) {
	no, rules := false, []actors.PrivateRule{{Dir: "/h/taxes", Said: "~/taxes", To: []string{"ollama"}}}
	for name, test := range map[string]struct {
		model ModelOffer
		needs messages.NeedsShown
		want  string
	}{
		"nothing":          {ModelOffer{Provider: "mine", Model: "m", Window: 100_000}, messages.NeedsShown{Tokens: 50_000, Pictures: 2}, ""},
		"eyes":             {ModelOffer{Provider: "mine", Model: "m", Sees: &no}, messages.NeedsShown{Pictures: 2}, "does not see the 2 pictures of this conversation"},
		"no pictures":      {ModelOffer{Provider: "mine", Model: "m", Sees: &no}, messages.NeedsShown{}, ""},
		"room":             {ModelOffer{Provider: "mine", Model: "m", Window: 50_000}, messages.NeedsShown{Tokens: 49_000}, "its window of 50k is too small for the 49k tokens of this conversation"},
		"tools":            {ModelOffer{Provider: "mine", Model: "m", Tools: &no}, messages.NeedsShown{}, "takes no tools"},
		"leave":            {ModelOffer{Provider: "mine", Model: "m"}, messages.NeedsShown{Bound: []string{"/h/taxes"}}, "must not see ~/taxes (private:)"},
		"leave, elsewhere": {ModelOffer{Provider: "ollama", Model: "m:cloud"}, messages.NeedsShown{Bound: []string{"/h/taxes"}}, "must not see ~/taxes (private:)"},
		"it may be told":   {ModelOffer{Provider: "ollama", Model: "m"}, messages.NeedsShown{Bound: []string{"/h/taxes"}}, ""},
	} {
		if got := test.model.Unfit(test.needs, rules); got != test.want {
			t.Errorf("%s: %q, not %q", name, got, test.want)
		}
	}
}

func TestEachModelIsOneRow(t *testing.T) {
	yes := true
	got := mergeOffers(providers.Provider{Name: "p"}, "b", []ModelOffer{{Model: "a"}, {Model: "b", Window: 5}, {Model: "a", Window: 7}, {Model: "b", Window: 9}, {Model: "c", Sees: &yes}, {Model: "c", Window: 3}})
	var told []string
	for _, one := range got {
		told = append(told, fmt.Sprint(one.Provider, " ", one.Wire == providers.Chat, " ", one.Model, " ", one.Usual, " ", one.Window, " ", one.Sees != nil))
	}
	if want := []string{"p true a false 7 false", "p true b true 5 false", "p true c false 0 true"}; !slices.Equal(told, want) {
		t.Errorf("%q, want %q", told, want)
	}
	if row := mergeOffers(providers.Provider{Wire: providers.Messages}, "", []ModelOffer{{Model: "a"}})[0]; row.Wire != providers.Messages || row.Usual {
		t.Errorf("%+v", row)
	}
}

func TestModelLacksCapability(t *testing.T) {
	yes, no := true, false
	rules := []actors.PrivateRule{{Dir: "/h/a", Said: "~/a", To: []string{"near"}}, {Dir: "/b", Said: "/b"}, {Dir: "/c", Said: "/c"}}
	for _, row := range []struct {
		model ModelOffer
		needs messages.NeedsShown
		want  string
	}{
		{ModelOffer{Provider: "x"}, messages.NeedsShown{Tokens: 1e9, Pictures: 9}, ""},
		{ModelOffer{Provider: "x", Window: 5096}, messages.NeedsShown{Tokens: 1000}, ""},
		{ModelOffer{Provider: "x", Window: 5095}, messages.NeedsShown{Tokens: 1000}, "its window of 5k is too small for the 1k tokens of this conversation"},
		{ModelOffer{Provider: "x", Sees: &no, Tools: &no}, messages.NeedsShown{}, "takes no tools"},
		{ModelOffer{Provider: "x", Sees: &no}, messages.NeedsShown{Pictures: 1}, "does not see the picture of this conversation"},
		{ModelOffer{Provider: "x", Sees: &no}, messages.NeedsShown{Pictures: 2}, "does not see the 2 pictures of this conversation"},
		{ModelOffer{Provider: "x", Sees: &yes, Tools: &yes}, messages.NeedsShown{Pictures: 2}, ""},
		{ModelOffer{Provider: "near"}, messages.NeedsShown{Bound: []string{"/h/a"}}, ""},
		{ModelOffer{Provider: "x"}, messages.NeedsShown{Bound: []string{"/h/a"}}, "must not see ~/a (private:)"},
		{ModelOffer{Provider: "near"}, messages.NeedsShown{Bound: []string{"/b", "/h/a"}}, "must not see ~/a, /b (private:)"},
		{ModelOffer{Provider: providers.Offline, Wire: providers.BuiltIn}, messages.NeedsShown{Bound: []string{"/b"}}, "understands only plain requests"},
		{
			ModelOffer{Provider: providers.Offline, Wire: providers.BuiltIn, Sees: &yes, Tools: &no, Window: 10},
			messages.NeedsShown{Pictures: 3, Tokens: 5},
			"understands only plain requests; does not see the 3 pictures of this conversation; its window of 10 is too small for the 5 tokens of this conversation; takes no tools",
		},
	} {
		if got := row.model.Unfit(row.needs, rules); got != row.want {
			t.Errorf("%+v for %+v: %q, want %q", row.model, row.needs, got, row.want)
		}
	}
}
