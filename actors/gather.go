package actors

import (
	"marvin/actors/internal/private"
	"marvin/actors/internal/prompt"
	"marvin/messages"
	"marvin/persistence/chat"
	"marvin/persistence/personal"
	"marvin/tools"
)

// gather reads the parts of the system text, and the messages that begin an interactive
// conversation. Unreadable parts are reported and left out: a broken preferences file must not
// prevent a prompt.
func gather(config *setup, conversation runningConversation, mode tools.Mode, wanted gathering) prepared {
	var ready prepared
	note := func(err error) {
		if err != nil {
			ready.notices = append(ready.notices, err.Error())
		}
	}
	ready.bound = private.Rules(config.Models.Private).Renamed([]string{conversation.Dir})
	parts := bare(config, conversation)
	parts.Hidden = wanted.tools.Hidden(mode, wanted.model)
	parts.Sources = wanted.tools.Behind(mode)
	parts.Window = wanted.window
	if conversation.Policy.Agent { // its task is all that it needs to know of the person
		wanted.ask = false
		project(config, conversation, parts, wanted, &ready)
		ready.offerSkills(wanted, mode)
		return ready
	}
	if conversation.Policy.Coding {
		parts.Jobs = wanted.background.runningJobs()
	}
	profile := config.Home.Profile(conversation.Profile)
	var err error
	parts.Preferences, err = personal.Preferences(profile)
	note(err)
	saved, err := personal.Places(profile)
	note(err)
	for _, place := range saved {
		parts.Places = append(parts.Places, prompt.Place{
			Label: place.Label, Name: place.Name, Address: place.Address,
			Lat: (*float64)(place.Lat), Lng: (*float64)(place.Lng),
		})
	}
	facts, err := factsFor(config, conversation, wanted)
	note(err)
	for _, fact := range facts {
		parts.Facts = append(parts.Facts, fact.Words())
	}
	if wanted.first && conversation.Policy.Persist {
		_, err := chat.TurnsOf(profile).Recover() // reported when that conversation is resumed
		note(err)
	}
	project(config, conversation, parts, wanted, &ready)
	ready.offerSkills(wanted, mode)
	return ready
}

// offerSkills sends the tool that reads skills where there are some.
func (p *prepared) offerSkills(wanted gathering, mode tools.Mode) {
	if len(p.parts.Skills) == 0 && (p.unapproved == nil || len(p.unapproved.parts.Skills) == 0) {
		return
	}
	if tool, err := wanted.tools.Find("read_skill", mode); err == nil {
		p.specs = describe([]tools.Tool{tool}, wanted.model).specs
	}
}

// gathering says what a turn wants to know besides the profile and the project.
type gathering struct {
	first      bool // the conversation begins: report what crashed ones left
	dry        bool // for display only: record nothing, and treat questions as answered
	ask        bool // the user may be asked whether to use project files
	background jobsClient
	tools      *tools.Registry

	facts   []string // that the model knows
	touched []string // absolute paths that calls were about
	prompt  string   // what the person said
	told    []string // instructions that the model knows
	window  int      // tokens available for the prompt; 0 if unknown
	model   int      // tokens of the model's whole window; 0 if that is not known
}

// bare is what the system text says without any file.
func bare(config *setup, conversation runningConversation) prompt.Parts {
	return prompt.Parts{
		Date: config.Now().Format("2006-01-02"), System: config.System,
		Profile: conversation.Profile, Agent: conversation.Policy.Agent, Coding: conversation.Policy.Coding, Dir: conversation.Dir,
		Planning: conversation.Policy.Approval == messages.ApprovePlan, Person: conversation.Policy.Person,
	}
}
