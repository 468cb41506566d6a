package offline

import (
	"strings"
	"testing"
)

// Every word of a frame, and every kind of value, must be readable.
func TestFramesAreReadable(t *testing.T) {
	list, err := frames()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range list {
		if len(f.core) == 0 && len(f.slots) == 0 {
			t.Errorf("the frame of %s fits everything", f.tool)
		}
		if bits := len(f.core) + len(f.slots); bits > 12 {
			t.Errorf("the frame of %s has %d groups and slots: frameLayer counts to 12", f.tool, bits)
		}
	}
}

func TestStoriesAreNoOrders(t *testing.T) {
	for text, want := range map[string]bool{
		"did you set the alarm for 7": true, "I set an alarm for 7": true, "der wecker klingelt um 7": true,
		"ne me réveille pas à 7h": true, "never wake me at 7": true, "mon réveil à 7h": true,
		"could you set an alarm for 7": false, "an alarm for 7 please": false, "kannst du mich um 7 wecken": false,
		"j'aimerais un réveil à 7h": false,
	} {
		if got := newSentence(text).isNoCommand(); got != want {
			t.Errorf("%q tells: %v", text, got)
		}
	}
}

// The verb is moved to its position in the phrases, whatever came before it.
func TestOrdersAreBroughtToOneForm(t *testing.T) {
	for text, want := range map[string]string{
		"würdest du mich um 7 wecken":                       "weck mich um 7",
		"könntest du am montag um 9 den friseur eintragen":  "trag am montag um 9 den friseur ein",
		"would you mind reminding me about the bins at 8":   "remind me about the bins at 8",
		"i want to be woken at 7":                           "wake me at 7",
		"j'aimerais que tu me rappelles d' acheter du pain": "rappelle moi d' acheter du pain",
		"weißt du ob ich morgen frei bin":                   "bin ich morgen frei",
		"do you know what 20 miles are":                     "what are 20 miles",
		"erinnerst du mich um 9 an den müll":                "erinnere mich um 9 an den mull",
		"ich möchte um 8 an die wäsche erinnert werden":     "erinnere mich 8 an die wasche",
		"kannst du brot auf die einkaufsliste setzen":       "setze brot auf die einkaufsliste",
		"denk dran mich um 18 uhr an den müll zu erinnern":  "erinnere mich um 18 uhr an den mull",
		"peux-tu mettre un réveil à 7h":                     "mets un reveil a 7 h",
		"could you tell me whether i am free on friday":     "am i free on friday",
	} {
		var all []string
		bare := newSentence(text).polite()[0]
		for _, s := range bare.otherwise(true) {
			var words []string
			for _, w := range s.words {
				words = append(words, w.folded)
			}
			all = append(all, strings.Join(words, " "))
		}
		found := false
		for _, one := range all {
			found = found || one == want
		}
		if !found {
			t.Errorf("%q is %q, not %q", text, all, want)
		}
	}
}
