package offline

import (
	"regexp"
	"strings"
	"sync"
)

// This file reads everyday calculations: a tip, a discount, a shared bill.

// toldSums pairs each pattern of an everyday calculation with an expression. In a pattern, N is a
// number, and a symbol such as % is a separate word.
var toldSums = sync.OnceValue(func() []toldSum {
	const (
		tax    = `(?:tip|vat|tax|sales tax|service charge|interest|trinkgeld|mwst|mehrwertsteuer|steuern?|zinsen|(?:de )?(?:pourboire|tva|taxes?|interets))`
		off    = `(?:off|discount|rabatt|nachlass|reduziert|gunstiger|(?:de )?(?:remise|reduction|rabais|moins))`
		heads  = `(?:people|persons?|friends|guests|ways|of us|parts|kids|personen|leute|freunde|teile|kinder|personnes|amis|parts|enfants)`
		pieces = `(?:hours?|h|days?|weeks?|months?|pieces?|tickets?|items?|stunden?|tage?|wochen?|monate?|stuck|heures?|jours?|semaines?|mois|pieces?|billets?)`
		join   = `(?: (?:and|is|are|it is|costs?|which|that|with|has|gets?|minus|less|und|ist|sind|mit|kostet|minus|et|est|avec|coute|moins|a))*`
	)
	var list []toldSum
	for _, pair := range [][2]string{
		{`N % ` + tax + ` (?:on|for|of|auf|von|bei|zu|sur|de|pour)(?: (?:a|an|the))?(?: (?:bill|meal|dinner) of)? N`, "$1% of $2"},
		{`N % (?:of|von|vom|de|des|d') (?:the )?N`, "$1% of $2"},
		{`N % ` + off + `(?: (?:on|of|off|from|auf|von|sur|de))? N`, "$2 * (100 - $1) / 100"},
		{`N` + join + ` N % ` + off, "$1 * (100 - $2) / 100"},
		{`N (?:plus|with|and|mit|und|avec|et) N % ` + tax, "$1 * (100 + $2) / 100"},
		{`(?:add|put|plus|addiere|rechne|ajoute[rz]?) N %(?: ` + tax + `)? (?:to|on|onto|on top of|zu|auf|a|sur) N(?: (?:dazu|drauf|hinzu))?`, "$2 * (100 + $1) / 100"},
		{`(?:take|subtract|deduct|ziehe?|enleve[rz]?|retire[rz]?) N %(?: off)? (?:off|from|of|von|a|de) N(?: ab)?`, "$2 * (100 - $1) / 100"},
		{`N(?: ` + pieces + `)? (?:times|x|at|mal|fois|a|zu|zu je|je|for) N(?: (?:each|per hour|an hour|a piece|pro stunde|die stunde|l' heure|de l' heure|chacun|par heure|je))?`, "$1 * $2"},
		{`(?:the )?(?:cube root of|kubikwurzel (?:aus|von)|dritte wurzel (?:aus|von)|racine cubique de) N`, "$1^(1/3)"},
		{`(?:split|divide|share|teile?|verteile?|partage[rz]?|divise[rz]?) N (?:between|by|among|amongst|into|through|in|durch|auf|unter|par|entre|en) (?:the )?N(?: ` + heads + `)?`, "$1 / $2"},
		{`(?:a |the |die |la |le )?(?:half|halfte|halbe|moitie)(?: (?:of|von|de|d'))? N`, "$1 / 2"},
		{`(?:a |the |das |ein |le |un )?(?:third|drittel|tiers)(?: (?:of|von|de))? N`, "$1 / 3"},
		{`(?:a |the |das |ein |le |un )?(?:quarter|viertel|quart)(?: (?:of|von|de))? N`, "$1 / 4"},
		{`(?:the |das |le )?(?:double|twice|doppelte|doppelt|double)(?: (?:of|von|de))? N`, "$1 * 2"},
		{`(?:the |das |le )?(?:triple|dreifache|triple)(?: (?:of|von|de))? N`, "$1 * 3"},
		{`(?:subtract|take(?: away)?|deduct|ziehe?|subtrahiere?|soustrais|soustraire|retire|enleve) N (?:from|off|von|a|de) N(?: ab)?`, "$2 - $1"},
		{`(?:add|addiere?|zahle|ajoute|additionne|additionner) N (?:and|to|plus|und|zu|mit|et|a) N(?: together| zusammen| dazu)?`, "$1 + $2"},
		{`(?:multiply|multipliziere?|nimm|multiplie|multiplier) N (?:by|with|times|mit|mal|par|fois) N`, "$1 * $2"},
		{`(?:divide|teile?|dividiere?|divise|diviser|partage) N (?:by|durch|par) N`, "$1 / $2"},
		{`(?:what (?:do|would) (?:you|i|we) get (?:when|if) (?:you|i|we) )?(?:multiply|times) N (?:by|with|and) N`, "$1 * $2"},
		{`N into N`, "$2 / $1"},
		{`(?:what )?(?:do |does |was )?(?:ergeben |geben |machen )?N (?:and|und|et) N (?:add up to|make|make together|together|zusammen|ergeben|machen|ensemble|font)`, "$1 + $2"},
		{`N (?:between|among|split between|shared by|split by|divided between|auf|unter|geteilt auf|entre|partage entre|divise entre|pour) N ` + heads, "$1 / $2"},
		{`(?:(?:the|our|die|unsere|l'|la|notre) )?(?:bill|total|rechnung|addition|note) (?:(?:is|was|comes to|came to|ist|war|macht|betragt|fait|est de|etait de) )?N (?:and )?(?:(?:we are|there are|there were|we were|wir sind|wir waren|on est|on etait|nous sommes) )N(?: ` + heads + `)?`, "$1 / $2"},
	} {
		list = append(list, toldSum{
			numbers: strings.Count(pair[0], "N"), sum: pair[1],
			shape: sync.OnceValue(func() *regexp.Regexp {
				return regexp.MustCompile(`^` + strings.ReplaceAll(pair[0], "N", `(\d+(?:\.\d+)?)`) + `$`)
			}),
		})
	}
	return list
})

type toldSum struct {
	numbers int // how many numbers a request must contain; checked before the pattern is compiled
	sum     string
	shape   func() *regexp.Regexp
}

func numbersIn(text string) int { return len(numberShape().FindAllString(text, -1)) }

var numberShape = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\d[\d.]*`) })

var (
	// asking is a pattern for words around a calculation, such as "how much is" or "per person".
	asking = sync.OnceValue(func() *regexp.Regexp {
		const ask = `(?:what (?:is|are|do i pay|would i pay|do we pay|does it cost|is the price)|how much (?:is|is that|is it|do i pay|would i pay|does it cost|do we pay|does everyone pay|does each pay)|how much|wie viel|combien|was (?:zahle?|bezahle?|kostet|macht|sind|ist|ergibt|ergeben) ?(?:ich|das|jeder|wir)?|wie viel (?:ist|sind|ist das|macht das|zahle? ich|zahlt jeder|kostet das)|combien (?:je paie|font|valent|ca fait|ca coute|chacun|par personne|paie chacun|fait)|(?:c' est|ca fait) combien)`
		const lead = `(?: (?:if|when|for|it|something|things?|the price|a|an|the|each|per|person|head|wenn|fur|etwas|da|dann|jeder|pro|kopf|si|pour|quelque|chose|le|la|un|une|du|coup|chacun|par|personne|is|costs?|i))*`
		return regexp.MustCompile(`^` + ask + lead + ` | ` + ask + lead + `$| (?:each|per person|jeder|pro person|pro kopf|chacun|par personne)$`)
	})
	coins = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(` (?:dollars?|bucks|euros?|pounds|quid|francs?|franken|chf|usd|eur|gbp)\b|[$€£] ?`)
	})
)

// readTold reads an everyday calculation. The calculation must be the whole request.
func readTold(s sentence, words []word) (any, bool) {
	if len(words) != len(s.words) {
		return nil, false
	}
	var list []string
	for _, w := range words {
		if w.quoted {
			return nil, false
		}
		piece := w.folded
		if number, ok := lexicon().tables["numbers"][piece]; ok && len(piece) > 2 && piece != "une" && piece != "ein" && piece != "eine" {
			piece = number
		}
		switch piece {
		case "percent", "prozent", "pourcent":
			piece = "%"
		}
		list = append(list, piece)
	}
	text := strings.Join(list, " ")
	if numbersIn(text) == 0 || strings.ContainsAny(text, "+-*/=^()") { // readSum handles signs
		return nil, false
	}
	text = strings.ReplaceAll(text, " pour 100", " %")
	text = strings.ReplaceAll(text, " per 100", " %")
	text = decimalComma().ReplaceAllString(text, "$1.$2$3")
	text = coins().ReplaceAllString(text, "")
	for range 2 {
		text = strings.TrimSpace(asking().ReplaceAllString(text, ""))
	}
	numbers := numbersIn(text)
	for _, one := range toldSums() {
		if numbers != one.numbers {
			continue
		}
		shape := one.shape()
		if m := shape.FindStringSubmatchIndex(text); m != nil {
			return string(shape.ExpandString(nil, strings.NewReplacer("$1", "${1}", "$2", "${2}").Replace(one.sum), text, m)), true
		}
	}
	return nil, false
}
