"""Values that people could say, by kind."""

from __future__ import annotations

import random
import string

LISTS = {
    "person": "Ana, Bob, Maria Lopez, John Smith, Mrs Keller, Ahmed, my brother, Priya Nair, "
    "Tom, Dr Weber, Chloé, Li Wei, Olga, Mr Brown, Sam, Fatima Khan, my mother, Jürgen, Zoe Adams",
    "city": "Leeds, Porto, Dover, Santander, Oslo, Lyon, Graz, Málaga, Cork, Ghent, Turin, York, "
    "Bilbao, Calais, Odessa, Tampere, New Haven, Palma, Rotterdam, Split, Kiel, St Ives",
    "street": "Mill Road, 12 Baker Street, Elm Lane 4, the corner of High Street, 5 Rue Neuve, "
    "Station Square, 221 Park Avenue, Calle Mayor 7, Hill View 3, Oak Drive",
    "company": "Acme, Northern Power, Globex, City Water, Vodaline, Initech, Sunrise Health, "
    "Bosch, Siemens, Green Cross, Alpen Mutual, Telco One, Corner Pharmacy, Umbra",
    "date": "tomorrow, on Friday, today, next Monday, the 3rd of May, March 12th, June 5, "
    "next week, the day after tomorrow, 12/04/2026, 2026-05-01, the 21st, this Saturday, "
    "Sunday, in two weeks, the first of July, yesterday, Tuesday next week",
    "time": "9 am, half past ten, 14:30, noon, 8 in the evening, quarter to six, 7pm, 10:15, "
    "three o'clock, 6 in the morning, 18:00, midnight, 11 a.m., five thirty",
    "dish": "pad thai, margherita pizza, veggie burger, lasagne, chicken curry, tomato soup, "
    "falafel, sushi box, caesar salad, tacos, ramen, fish and chips",
    "thing": "black umbrella, winter coat, headphones, backpack, office chairs, blue scarf, keys, "
    "running shoes, frozen fish, laptop bag, toaster, spare parts, red wallet, books",
    "issue": "it does not start, error 503, the screen stays black, it makes a strange noise, "
    "no sound at all, it is very slow, paper jam, I cannot connect, the battery is empty",
    "drug": "ibuprofen, metformin, paracetamol, insulin, amoxicillin, aspirin, salbutamol",
    "dose": "50 mg, 500 milligrams, 10 ml, 1 g, 200 mg",
    "room": "4b, 12, A3, 302, 7c, B 1.05, 10a",
    "user": "jsmith, ana.lopez, kim88, t.brown, olga_p, admin2",
    "book": "The Left Hand of Darkness, Emma, Dune, A Room of One's Own, Don Quixote, Middlemarch, "
    "The Name of the Rose, Beloved",
    "weight": "200 kilos, 1.5 tons, 80 kg, 2 tonnes, 750 kg, twelve kilos",
    "station": "Central Station, Opera, Victoria, Harbour Street, Town Hall, the airport, "
    "Museum Park, North Gate, Kings Cross, University",
    "greeting": "happy birthday, get well soon, see you tonight, I am running late, thank you, "
    "call me when you can, with love from Ana, the service was slow, everything was great",
    "task": "water the plants, call my mother, buy milk, pay the rent, take out the rubbish, "
    "book the dentist, feed the cat",
    "percent": "20 percent, 50%, full brightness, 80 %, ten percent",
    "minutes": "30 minutes, half an hour, 45 min, an hour, ninety minutes",
}
COUNTS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "twelve")
TYPES = {
    **{"date": "date", "time": "time", "count": "integer", "money": "money"},
    **{"phone": "phone", "mail": "email", "minutes": "duration"},
}


def drawn(pool: str, dice: random.Random) -> str:
    """A value of a kind."""
    if pool in LISTS:
        return dice.choice(LISTS[pool].split(", ")).removeprefix("on ")
    number = dice.choice([dice.randrange(1, 100), 10 * dice.randrange(1, 200)])
    if pool == "count":
        return dice.choice([dice.choice(COUNTS), str(dice.randrange(1, 20))])
    if pool == "money":
        forms = ("{} euros", "${}", "{}", "€{}", "{} dollars", "{} pounds", "{}.50", "{} bucks")
        return dice.choice(forms).format(number)
    if pool == "phone":
        return dice.choice(["+44 20 7946 0{}", "555-01{}", "0151 23{}"]).format(100 + number % 900)
    if pool == "mail":
        return f"{dice.choice(['ana', 'bob.k', 'li', 'office'])}@{dice.choice(['mail', 'a1'])}.com"
    letters = "".join(dice.choice(string.ascii_uppercase) for _ in range(2))
    if pool == "plate":
        return f"{letters} {number} {letters[::-1]}"
    return str(10000 + 7 * number) if pool == "digits" else f"{letters}{10000 + number}"
