package persistence

// Marvin's state is divided into stores, one for each kind of file, so that a call shows which file
// it concerns.

// Alarms are the alarms and reminders of the user, one file each.
type Alarms struct{ home *Home }

// Alarms are those of this home.
func (h *Home) Alarms() Alarms { return Alarms{h} }

// Offers are what projects brought and the user agreed to, by hash.
type Offers struct{ home *Home }

// Offers are those of this home.
func (h *Home) Offers() Offers { return Offers{h} }

// Logins are keys that the user typed for providers.
type Logins struct{ home *Home }

// Logins are those of this home.
func (h *Home) Logins() Logins { return Logins{h} }

// Lifetime is what was spent since the beginning.
type Lifetime struct{ home *Home }

// Lifetime is that of this home.
func (h *Home) Lifetime() Lifetime { return Lifetime{h} }

// Servers are the entries of MCP servers, and what is kept of each.
type Servers struct{ home *Home }

// Servers are those of this home.
func (h *Home) Servers() Servers { return Servers{h} }

// Projects are the directories whose files the user let the model read.
type Projects struct{ home *Home }

// Projects are those of this home.
func (h *Home) Projects() Projects { return Projects{h} }

// ChatLog is the history of a profile, chat_log.json.
type ChatLog struct{ profile Profile }

// Chat is that of this profile.
func (p Profile) Chat() ChatLog { return ChatLog{p} }

// Topics are the subscriptions of a profile to ntfy.
type Topics struct{ profile Profile }

// Topics are those of this profile.
func (p Profile) Topics() Topics { return Topics{p} }

// RunningTurns are the turns of a profile that began and did not end.
type RunningTurns struct{ profile Profile }

// Turns are those of this profile.
func (p Profile) Turns() RunningTurns { return RunningTurns{p} }

// Bookmarks are the pages that a profile keeps.
type Bookmarks struct{ profile Profile }

// Bookmarks are those of this profile.
func (p Profile) Bookmarks() Bookmarks { return Bookmarks{p} }
