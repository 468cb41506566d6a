package when

import "strings"

// partOfDay reads phrases such as "in the morning", "abends" and "du soir".
func (r *reader) partOfDay() (part, bool) {
	for _, one := range []struct {
		words string
		part  part
	}{
		{"in the morning", morning},
		{"in the afternoon", afternoon},
		{"in the evening", evening},
		{"in the night", night},
		{"at night", night},
		{"morgens", morning},
		{"in der frueh", morning},
		{"frueh", morning},
		{"am morgen", morning},
		{"am vormittag", morning},
		{"vormittags", morning},
		{"vormittag", morning},
		{"am nachmittag", afternoon},
		{"nachmittags", afternoon},
		{"nachmittag", afternoon},
		{"am abend", evening},
		{"abends", evening},
		{"abend", evening},
		{"in der nacht", night},
		{"nachts", night},
		{"nacht", night},
		{"du matin", morning},
		{"le matin", morning},
		{"matin", morning},
		{"de l'apres midi", afternoon},
		{"l'apres midi", afternoon},
		{"apres midi", afternoon},
		{"du soir", evening},
		{"le soir", evening},
		{"soir", evening},
		{"de la nuit", night},
		{"morning", morning},
		{"afternoon", afternoon},
		{"evening", evening},
		{"night", night},
	} {
		if r.take(strings.Fields(one.words)...) {
			return one.part, true
		}
	}
	if r.at > 0 && r.is("mittags") { // "12 Uhr mittags"
		if _, isClock := numberWords()[r.word(-1)]; isClock || r.word(-1) == "uhr" {
			r.at++
			return noonish, true
		}
	}
	if r.at > 0 && r.word(-1) != "am" && r.is("morgen") { // "Freitag morgen", not "am Freitag, morgen"
		if _, isDay := weekdays()[r.word(-1)]; isDay {
			r.at++
			return morning, true
		}
	}
	return noPart, false
}
