// Package office extracts the text from documents, spreadsheets and slides. It reads OpenDocument
// and the Microsoft Office formats since 2007, which are all zip archives of XML. It does not run
// or fetch anything that a document contains, and needs no other program.
package office
