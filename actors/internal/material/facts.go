package material

import (
	"marvin/actors/internal/conv"
	"marvin/persistence/memory"
	"marvin/providers"
)

// factsFor selects the facts for a request.
func factsFor(config *conv.Setup, conversation conv.LiveConversation, wanted Gathering) ([]memory.Fact, error) {
	if config.Memory == memoryOff || config.Home.Data == "" || conversation.Choice.Provider == providers.Offline {
		return nil, nil
	}
	facts, err := memory.Open(config.Home).Facts(memory.Location{Profile: conversation.Profile, Dir: conversation.Dir})
	budget := memory.Budget
	if wanted.Window > 0 {
		budget = min(budget, wanted.Window*6/100)
	}
	return memory.ForRequest(facts, wanted.Facts, wanted.Prompt, budget), err
}

// memoryOff is the setting that disables facts.
const memoryOff = "off"
