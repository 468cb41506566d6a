package conv

import (
	"slices"

	"marvin/actors/internal/sessionlog"
	"marvin/messages"
	"marvin/persistence/settings"
	"marvin/providers"
	"marvin/providers/tokens"
)

// Models provides the models and their properties. Actors must not call Connect, Choose or
// AskServer, because these functions can block. Connect and Choose are required; any other field
// can be nil.
type Models struct {
	// Connect returns a client for a model. A task calls Connect on first use, and again after a
	// restart of the provider actor.
	Connect func(Choice) (providers.Model, error)
	// Choose returns the model for a name: a role, a provider, or text of the form provider/model.
	// The error says what is missing.
	Choose func(provider string) (Choice, error)
	// Fallback returns the replacement for a model that failed permanently, or false if no model is
	// left.
	Fallback func(failed Choice) (Choice, bool)
	// Properties returns the known properties of a model.
	Properties func(Choice) providers.About
	// Price holds the prices of tokens.
	Price providers.Prices
	// Role returns the models of a role, the preferred one first.
	Role func(name string) []Choice
	// SplitModel splits text of the form provider/model. If text has another form, ok is false.
	SplitModel func(text string) (choice Choice, ok bool)
	// Larger returns a model of the same provider whose context window exceeds the given number of
	// tokens.
	Larger func(than Choice, tokens int) (Choice, bool)
	// AskServer requests the current and the maximum size of the context window, in tokens, from the
	// model's server. 0 means that a size is unknown. AskServer waits at most half a second.
	AskServer func(Choice) (window, widest int)
	// Host returns the host of a provider, or "" if the provider runs in Marvin itself.
	Host func(provider string) string
	// Fleet runs tasks on other machines, using the models of those machines. Fleet is nil if no
	// fleet is configured.
	Fleet RemoteRunner
	// Private holds the rules that restrict directories to certain providers.
	Private []PrivateRule
}

// Host returns the host of a model, or "" if the model runs in Marvin itself.
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

// FindModel returns the model for a role, or for text of the form provider/model.
func (config *Setup) FindModel(text string) (Choice, bool) {
	if list := config.Role(text); len(list) > 0 {
		return list[0], true
	}
	if config.Models.SplitModel == nil {
		return Choice{}, false
	}
	return config.Models.SplitModel(text)
}

// Properties returns the known properties of a model.
func (config *Setup) Properties(choice Choice) providers.About {
	if config.Models.Properties == nil {
		return providers.About{}
	}
	return config.Models.Properties(choice)
}

// Window returns the size of a model's context window in tokens, or 0 if the size is unknown; see
// [tokens.Meter.Window].
func (config *Setup) Window(choice Choice) int {
	return config.Tokens.MeterFor(choice.Provider, choice.Model).Window(config.Properties(choice).Window)
}

// QueryWindow is like Window, but first queries the model's server for the size if the server has
// not reported it yet. QueryWindow may wait for the server, so actors must not call it.
func (config *Setup) QueryWindow(choice Choice) int {
	meter := config.Tokens.MeterFor(choice.Provider, choice.Model)
	if told, _ := meter.Widest(); told == 0 && config.Models.AskServer != nil {
		meter.RecordWindow(config.Models.AskServer(choice))
	}
	return config.Window(choice)
}

// CostLimitAllows reports whether the conversation's cost limit permits a model. Under a limit,
// only models with a known price are permitted.
func (config *Setup) CostLimitAllows(begin LiveConversation, choice Choice) bool {
	_, priced := config.Models.Price.Lookup(choice.Provider, choice.Model)
	return priced || begin.Policy.Limits.Cost <= 0
}

// Next returns the replacement for a model that failed permanently: the first suitable model of the
// turn's role or, if there is none, the result of [Models.Fallback]. Models that were already tried
// or that [Setup.CostLimitAllows] or [Setup.MayTell] rejects are not suitable.
func (config *Setup) Next(begin LiveConversation, failed Choice, tried []Choice, places []string) (Choice, bool) {
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
			if choice != failed && choice != begin.Choice && !slices.Contains(tried, choice) && config.CostLimitAllows(begin, choice) && config.MayTell(choice, places) == nil {
				return choice, true
			}
		}
		break
	}
	if config.Models.Fallback == nil {
		return Choice{}, false
	}
	other, ok := config.Models.Fallback(failed)
	return other, ok && !slices.Contains(tried, other) && config.CostLimitAllows(begin, other) && config.MayTell(other, places) == nil
}

// Summarizer returns a cheaper model that can write the summary. The context window of that model
// must be known, and must be large enough for the question and the summary.
func (config *Setup) Summarizer(own Choice, question providers.Question, places []string) (Choice, bool) {
	for _, small := range config.Role("small") {
		if small == own {
			return Choice{}, false // the list has no cheaper model after this one
		}
		if window := config.Window(small); window > 0 && config.MayTell(small, places) == nil && config.Context.Within(window).Refuse > tokens.Bound(question)/2+WrittenTokens {
			return small, true
		}
	}
	return Choice{}, false
}

// ForTurn chooses the model for a prompt. The role "plan" applies in plan mode if the user has not
// named a model. The role "vision" applies if the model chosen so far cannot see the prompt's
// pictures. In each role, ForTurn skips the models that [Setup.MayTell] rejects. The second result
// is the reason for choosing a role, or "".
func (config *Setup) ForTurn(begin LiveConversation, pictures int, places []string) (choice Choice, why string) {
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
			choice, why = planner, "it is the model that config.yaml sets for plans"
		}
	}
	if sees := config.Properties(choice).Sees; pictures > 0 && sees != nil && !*sees {
		if seer, ok := usable("vision"); ok {
			choice, why = seer, choice.Model+" does not see pictures"
		}
	}
	return choice, why
}

// WrittenTokens is the assumed length of an answer before it is written, in tokens.
const WrittenTokens = 1000

func (config *Setup) SentBy(what string, choice Choice, usage providers.Usage) sessionlog.Sent {
	return sessionlog.Sent{For: what, Model: choice.String(), Host: config.Host(choice), Requests: max(1, usage.Turns), Input: usage.Input}
}

// AutoEffort lets the model choose the effort.
const AutoEffort = "auto"
