package command

import (
	"context"
	"slices"

	"marvin/messages"
	"marvin/ui/view"
)

// FirstStart configures the guide that a user sees when Marvin runs for the first time. The guide
// lets the user choose colors and a model.
type FirstStart struct {
	Light bool         // the terminal has a light background
	Named bool         // the user named the provider, so no list is shown
	Begun func() error // called outside the loop to record that the guide was shown
}

// firstStartGuide guides the user through the first start. The user chooses the colors and a
// provider, logs in if the provider is not ready yet, and chooses a model. In the form for a key
// and in the list of models, Esc returns to the list of providers. Everywhere else, Esc ends the
// guide. If the user types text that is not a choice, the guide ends and the text becomes a prompt.
type firstStartGuide struct{ *Engine }

// newThemes lists the themes that the first step offers.
var newThemes = []struct{ theme, called string }{
	{"marvin-dark", "dark"}, {"marvin-light", "light"}, {"terminal", "the terminal's own colors"},
}

// begin opens the guide if Newcomer is set and the front end implements [Forms].
func (n firstStartGuide) begin() {
	if forms, ok := n.Front.(Forms); n.Newcomer == nil || !ok || !n.colours(forms) {
		return
	}
	begun := n.Newcomer.Begun
	n.runOutside("remember the first start", func(context.Context) func() {
		if err := begun(); err != nil {
			return func() { n.warn("Marvin will ask again at the next start: " + err.Error()) }
		}
		return nil
	})
}

// colours offers three themes and previews the theme under the cursor. The result is false if the
// user is already typing.
func (n firstStartGuide) colours(forms Forms) bool {
	offer := Offer{Title: "Welcome! Which colors?", Sample: view.Sample}
	for _, one := range newThemes {
		offer.Items = append(offer.Items, one.called)
	}
	if n.Newcomer.Light {
		offer.At = 1
	}
	show := func(at int) { _ = n.Front.Theme(newThemes[at].theme) } // these themes always exist
	offer.Moved = show
	offer.Left = func() { _ = n.Front.Theme("auto") }
	offer.Chosen = func(at int) {
		show(at)
		n.runOutside("write the setting", func(ctx context.Context) func() {
			if _, err := n.Host.Set(ctx, "theme", newThemes[at].theme); err != nil {
				return func() { n.fail(err) }
			}
			return nil
		})
		if !n.Newcomer.Named {
			n.provider()
		}
	}
	return forms.Offer(offer)
}

// The list item "later" leaves the current model unchanged.
const later = "later"

// provider lets the user choose a provider.
func (n firstStartGuide) provider() {
	n.runOutside("look for providers", func(ctx context.Context) func() {
		list := n.Host.Providers(ctx)
		return func() {
			if ctx.Err() == nil {
				n.pickProvider(offeredFirst(list))
			}
		}
	})
}

// offeredFirst returns the providers that are ready, followed by those that need a login. It omits
// the built-in assistant and all providers that need something else, such as a running server.
func offeredFirst(list []Choice) []Choice {
	list = slices.DeleteFunc(slices.Clone(list), func(choice Choice) bool { return choice.Provider == "offline" || choice.Lacks != "" && !choice.Login })
	slices.SortStableFunc(list, func(a, b Choice) int { return order(a.Lacks != "") - order(b.Lacks != "") })
	return list
}

// offeredItems converts providers to list items.
func offeredItems(list []Choice) []view.Item {
	items := make([]view.Item, len(list))
	for i, choice := range list {
		note := "ready: " + choice.Model
		if choice.Lacks != "" {
			note = choice.About
		}
		items[i] = view.Item{Text: choice.Provider, Note: note, Preview: choice.Details}
	}
	return items
}

func (n firstStartGuide) pickProvider(list []Choice) {
	kept := "the built-in assistant"
	if n.Talk.Provider != "offline" {
		kept = n.Talk.Model
	}
	items := append(offeredItems(list), view.Item{Text: later, Note: "keep " + kept, Preview: "/login adds a model at any time."})
	n.Front.Pick(Pick{
		List:     view.List{Title: "Which model provider do you want to use?", Items: items},
		ToPrompt: true,
		Chosen: func(at int) {
			switch {
			case at == len(list):
			case list[at].Lacks == "":
				n.model(list[at].Provider)
			default:
				n.key(list[at].Provider)
			}
		},
		Left: func() {},
	})
}

// key lets the user log in to a provider, and then opens a list of the provider's models. If the
// provider does not accept a typed key, the login uses the terminal.
func (n firstStartGuide) key(name string) {
	then := func(said string) {
		n.say(said)
		n.model(name)
	}
	if !n.models().askKey(name, "", then, n.provider) {
		n.models().suspendLogin(name, then)
	}
}

// model opens a list of the named provider's models.
func (n firstStartGuide) model(name string) {
	n.runOutside("list the models", func(ctx context.Context) func() {
		list := n.Host.Models(ctx, messages.NeedsShown{})
		list = slices.DeleteFunc(list, func(choice Choice) bool { return choice.Provider != name })
		return func() {
			switch {
			case ctx.Err() != nil:
				n.provider()
			case len(list) == 0:
				n.models().provider(name)
			default:
				n.Front.Pick(Pick{
					List:     view.List{Title: "Which of its models?", Items: n.models().items(list)},
					ToPrompt: true,
					Chosen:   func(at int) { n.models().set(list[at]) },
					Left:     n.provider,
				})
			}
		}
	})
}
