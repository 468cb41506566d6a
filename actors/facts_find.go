package actors

import (
	"marvin/persistence/memory"
	"marvin/providers"
)

// factsFor selects the facts for a request.
func factsFor(config *setup, conversation runningConversation, wanted gathering) ([]memory.Fact, error) {
	if config.Memory == memoryOff || config.Home.Data == "" || conversation.Choice.Provider == providers.Offline {
		return nil, nil
	}
	facts, err := memory.Open(config.Home).Facts(memory.Where{Profile: conversation.Profile, Dir: conversation.Dir})
	budget := memory.Budget
	if wanted.window > 0 {
		budget = min(budget, wanted.window*6/100)
	}
	return memory.Told(facts, wanted.facts, wanted.prompt, budget), err
}

// memoryOff is the setting with which nothing is remembered and told.
const memoryOff = "off"
