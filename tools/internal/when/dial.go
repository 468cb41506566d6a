package when

// namedClock reads the words for noon and midnight.
func (r clocks) namedClock() (clock, bool) {
	r.takeAny("zu", "high")
	switch {
	case r.takeAny("noon", "midday", "mittag", "mittags"):
		return clock{hour: 12}, true
	case r.takeAny("midnight", "mitternacht", "minuit"):
		return clock{midnight: true}, true
	case r.take("midi"):
		found := clock{hour: 12}
		if r.take("et", "demi") || r.take("et", "demie") {
			found.minute = 30
		} else if minute, ok := r.frenchMinute(&found); ok {
			found.minute = minute
		}
		return found, true
	}
	return clock{}, false
}

// pastTo reads times relative to a full hour, such as "quarter past seven", "viertel vor 8", "zehn
// nach zwölf" and "half past seven".
func (r clocks) pastTo() (clock, bool) {
	minute, ok := r.minutesOff()
	if !ok {
		return clock{}, false
	}
	switch {
	case r.takeAny("past", "after", "nach"):
	case r.takeAny("to", "before", "vor", "till", "til", "of"):
		minute = -minute
	default:
		return clock{}, false
	}
	if minute != 30 && r.take("halb") { // "fünf vor halb acht"
		minute -= 30
	}
	hour, ok := r.hourWord()
	if !ok {
		return clock{}, false
	}
	return clockFrom(hour*60+minute, hour), true
}

// minutesOff reads the minutes before or after the hour: "quarter", "half", "ten", "20 minutes".
func (r clocks) minutesOff() (int, bool) {
	before := r.at
	r.takeAny("a", "ein")
	switch {
	case r.takeAny("quarter", "viertel"):
		return 15, true
	case r.take("half"):
		return 30, true
	}
	r.at = before
	minute, ok := r.readInteger()
	if !ok || minute < 1 || minute > 40 {
		return 0, false
	}
	r.takeAny("minutes", "minute", "minuten", "min")
	return minute, true
}

// clockFrom converts minutes since midnight to a clock. If the hour in the text is from 1 to 12,
// the clock can be a.m. or p.m.
func clockFrom(minutes, hour int) clock {
	minutes = (minutes + 24*60) % (24 * 60)
	return clock{hour: minutes / 60, minute: minutes % 60, half: hour >= 1 && hour <= 12}
}

// hourWord reads an hour and an optional "o'clock" or "Uhr".
func (r clocks) hourWord() (int, bool) {
	hour, ok := r.readInteger()
	if !ok || hour > 24 {
		switch {
		case r.takeAny("noon", "midday", "mittag"):
			return 12, true
		case r.takeAny("midnight", "mitternacht"):
			return 24, true
		}
		return 0, false
	}
	r.takeAny("o'clock", "oclock", "uhr")
	return hour, true
}

// germanHalf reads "viertel acht", "halb acht" and "dreiviertel acht", which are 45, 30 and 15
// minutes before eight. It also reads "half seven", the British form of "half past seven".
func (r clocks) germanHalf() (clock, bool) {
	off, note := 0, ""
	switch {
	case r.take("halb"):
		off = -30
	case r.take("dreiviertel"):
		off = -15
	case r.take("viertel"):
		off = -45
	case r.take("half"):
		off, note = 30, "Marvin takes this as half an hour after the hour, not before it"
	default:
		return clock{}, false
	}
	hour, ok := r.hourWord()
	if !ok || hour > 12 {
		return clock{}, false
	}
	if _, isUnit := unitOf(r.word(0)); isUnit {
		return clock{}, false
	}
	found := clockFrom(hour*60+off, hour)
	found.note = note
	return found, true
}

// frenchClock reads times such as "7h", "7 h 30", "sept heures et demie" and "huit heures moins le
// quart". The caller decides whether "7 heures" is a time of day.
func (r clocks) frenchClock() (clock, bool) {
	hour, ok := r.readInteger()
	if !ok || hour > 24 || !r.takeAny("h", "heure", "heures") {
		return clock{}, false
	}
	found := clock{hour: hour, half: hour >= 1 && hour <= 12}
	if minute, ok := r.frenchMinute(&found); ok {
		found.minute = minute
	}
	return found, found.hour < 24 || found.minute == 0
}

// frenchMinute reads the minutes after the hour. For "moins", it sets found.hour to the previous
// hour.
func (r clocks) frenchMinute(found *clock) (int, bool) {
	switch {
	case r.take("et", "demie"), r.take("et", "demi"):
		return 30, true
	case r.take("et", "quart"), r.take("et", "un", "quart"):
		return 15, true
	case r.is("moins"):
		before := r.at
		r.at++
		r.take("le")
		minute := 15
		if !r.take("quart") {
			number, ok := r.readInteger()
			if !ok || number < 1 || number > 30 {
				r.at = before // the error message will name "moins"
				return 0, false
			}
			minute = number
		}
		found.hour = (found.hour + 23) % 24
		return 60 - minute, true
	}
	before := r.at
	if minute, ok := r.readInteger(); ok && minute < 60 && !article(r.word(-1)) && !r.is(".") && !r.is("/") {
		if _, isUnit := unitOf(r.word(0)); !isUnit || r.takeAny("min", "minutes", "mn") {
			return minute, true
		}
	}
	r.at = before
	return 0, false
}
