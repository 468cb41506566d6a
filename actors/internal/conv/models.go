package conv

import (
	"slices"

	"marvin/actors/internal/sessionlog"
	"marvin/messages"
	"marvin/persistence/settings"
	"marvin/providers"
	"marvin/providers/tokens"
)

// Messages to a session about other models.

// Models are how models are asked, and what there is to ask besides the one that a
// conversation has. Nothing of it but Connect, Choose and Told waits, for a key or for a
// server, and no actor calls these three. What is nil knows nothing; Connect and Choose there
// must be.
type Models struct {
	// Connect makes the client of a provider. It is called on first use, on a
	// goroutine of its own, and again after the provider was replaced.
	Connect func(Choice) (providers.Model, error)
	// Choose finds the provider for a prompt that asks for one by name. The error says
	// what is missing.
	Choose func(provider string) (Choice, error)
	// Fallback names what to ask when a choice failed for good; false means that there is
	// nothing.
	Fallback func(failed Choice) (Choice, bool)
	// About says what is known of a model.
	About func(Choice) providers.About
	// Price is what tokens of models cost.
	Price providers.Prices
	// Role are the models of a role, the preferred one first.
	Role func(name string) []Choice
	// Named is what provider/model means; false for any other text.
	Named func(text string) (Choice, bool)
	// Larger is a model of the same provider with a window of more than so many tokens.
	Larger func(than Choice, tokens int) (Choice, bool)
	// Told asks the server of a model for its window, and the widest that it could have, in
	// tokens; 0 is what it does not say. It waits for half a second at most.
	Told func(Choice) (window, widest int)
	// Host is where a provider is, "" for what runs in Marvin itself.
	Host func(provider string) string
	// Fleet does tasks on other machines, with models of theirs; nil for none.
	Fleet RemoteRunner
	// Private lists directories that only some providers may see.
	Private []PrivateRule
}

// Host is where a model is now, "" for what runs in Marvin itself.
func (config *Setup) Host(choice Choice) string {
	if config.Models.Host == nil || choice.Provider == providers.Offline {
		return ""
	}
	return config.Models.Host(choice.Provider)
}

func (config *Setup) Role(name string) []Choice {
	if config.Models.Role == nil {
		return nil
	}
	return config.Models.Role(name)
}

// Named is what a person or a model means by a name that stands for a provider too: a role,
// or provider/model.
func (config *Setup) Named(text string) (Choice, bool) {
	if list := config.Role(text); len(list) > 0 {
		return list[0], true
	}
	if config.Models.Named == nil {
		return Choice{}, false
	}
	return config.Models.Named(text)
}

// About is what is known of a model.
func (config *Setup) About(choice Choice) providers.About {
	if config.Models.About == nil {
		return providers.About{}
	}
	return config.Models.About(choice)
}

// Window is how many tokens a model has for a question and its answer, 0 if that is not
// known: what its server told, else what the person says or Marvin knows.
func (config *Setup) Window(choice Choice) int {
	return config.Tokens.For(choice.Provider, choice.Model).Window(config.About(choice).Window)
}

// AskedWindow is [setup.window] after asking the server, if it reports its window. It may wait for
// the server, so actors must not call it.
func (config *Setup) AskedWindow(choice Choice) int {
	meter := config.Tokens.For(choice.Provider, choice.Model)
	if told, _ := meter.Widest(); told == 0 && config.Models.Told != nil {
		meter.Told(config.Models.Told(choice))
	}
	return config.Window(choice)
}

// Affords says whether a limit of the conversation can hold what a model costs.
func (config *Setup) Affords(begin Running, choice Choice) bool {
	_, priced := config.Models.Price.Lookup(choice.Provider, choice.Model)
	return priced || begin.Policy.Limits.Cost <= 0
}

// Next returns the model to ask after a permanent failure: the others of the turn's role, in order,
// then the program's fallbacks. Each is asked once per turn, and only if it may see the places.
func (config *Setup) Next(begin Running, failed Choice, tried []Choice, places []string) (Choice, bool) {
	order := settings.Roles
	if begin.Policy.Approval == messages.ApprovePlan {
		order = append([]string{"plan"}, order...)
	}
	for _, role := range order {
		list := config.Role(role)
		if !slices.Contains(list, begin.Choice) {
			continue
		}
		for _, choice := range list {
			if choice != failed && choice != begin.Choice && !slices.Contains(tried, choice) && config.Affords(begin, choice) && config.MayTell(choice, places) == nil {
				return choice, true
			}
		}
		break
	}
	if config.Models.Fallback == nil {
		return Choice{}, false
	}
	other, ok := config.Models.Fallback(failed)
	return other, ok && !slices.Contains(tried, other) && config.MayTell(other, places) == nil
}

// Summarizer returns a cheaper model that can make the summary: its window must be known to hold
// the input and the output.
func (config *Setup) Summarizer(own Choice, question providers.Question, places []string) (Choice, bool) {
	for _, small := range config.Role("small") {
		if small == own {
			return Choice{}, false // nothing that is cheaper is left
		}
		if window := config.Window(small); window > 0 && config.MayTell(small, places) == nil && config.Context.Within(window).Refuse > tokens.Bound(question)/2+WrittenTokens {
			return small, true
		}
	}
	return Choice{}, false
}

// ForTurn chooses the model for a prompt: in plan mode that of the role, unless the user named one;
// for pictures one with vision. Models that may not see the places are skipped.
func (config *Setup) ForTurn(begin Running, pictures int, places []string) (choice Choice, why string) {
	choice = begin.Choice
	usable := func(role string) (Choice, bool) {
		for _, one := range config.Role(role) {
			if config.MayTell(one, places) == nil {
				return one, true
			}
		}
		return Choice{}, false
	}
	if begin.Policy.Approval == messages.ApprovePlan && !begin.Named {
		if planner, ok := usable("plan"); ok {
			choice, why = planner, "it is the model for plans"
		}
	}
	if sees := config.About(choice).Sees; pictures > 0 && sees != nil && !*sees {
		if seer, ok := usable("vision"); ok {
			choice, why = seer, choice.Model+" does not see pictures"
		}
	}
	return choice, why
}

// WrittenTokens is the assumed length of an answer when its cost is reserved.
const WrittenTokens = 1000

func (config *Setup) SentBy(what string, choice Choice, usage providers.Usage) sessionlog.Sent {
	return sessionlog.Sent{For: what, Model: choice.String(), Host: config.Host(choice), Requests: max(1, usage.Turns), Input: usage.Input}
}

// Auto leaves the effort to the model.
const Auto = "auto"
