package actors

import (
	"marvin/actors/internal/private"
	"marvin/actors/internal/prompt"
	"marvin/messages"
	"marvin/tools"
)

// gather reads what the system text is made of, and the messages that an
// interactive conversation begins with. What cannot be read is said and left out:
// a broken preferences file must not keep anyone from asking.
func gather(config *Config, conversation Conversation, mode tools.Mode, wanted gathering) prepared {
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
	parts.Preferences, err = profile.Preferences()
	note(err)
	saved, err := profile.Places()
	note(err)
	for _, place := range saved {
		parts.Places = append(parts.Places, prompt.Place{
			Label: place.Label, Name: place.Name, Address: place.Address,
			Lat: (*float64)(place.Lat), Lng: (*float64)(place.Lng),
		})
	}
	if wanted.first && conversation.Policy.Persist {
		_, err := profile.Turns().Recover() // who takes that conversation up is told there
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
	first      bool // the conversation begins: what a crash left of earlier ones is told
	dry        bool // it is only looked at: nothing is noted, and what would be asked about is there
	ask        bool // a person may be asked about files of the project
	background jobsClient
	tools      *tools.Registry

	touched []string // absolute paths that calls were about
	prompt  string   // what the person said
	told    []string // instructions that the model knows
	window  int      // tokens that there are for what is said; 0 if that is not known
	model   int      // tokens of the model's whole window; 0 if that is not known
}

// bare is what the system text says without any file.
func bare(config *Config, conversation Conversation) prompt.Parts {
	return prompt.Parts{
		Date: config.Now().Format("2006-01-02"), System: config.System,
		Profile: conversation.Profile, Agent: conversation.Policy.Agent, Coding: conversation.Policy.Coding, Dir: conversation.Dir,
		Planning: conversation.Policy.Approval == messages.ApprovePlan, Person: conversation.Policy.Person,
	}
}
